-- How much do players lose with a move, early and late in the game?
-- The loss of a ply is the mover's evaluation before the move minus the one after it, in centipawns; a mate counts as 10,000.
-- Mean and 90 % quantile for every ten plies. The first ply and plies after one without evaluation are left out.
-- Input: view plies.
with scores as (
    select
        archive, byte_offset, ply,
        case when ply % 2 = 1 then 1 else -1 end as mover,
        case
            when eval_cp is not null then eval_cp
            when eval_mate > 0 then 10000
            when eval_mate < 0 then -10000
            -- Mate in 0: the mover has mated.
            when eval_mate = 0 then 10000 * mover
        end as score
    from plies
),
losses as (
    select ply, mover * (lag(score) over game - score) as loss
    from scores
    window game as (partition by archive, byte_offset order by ply)
)
select
    (ply - 1) // 10 * 10 + 1 as ply_from,
    count(*) as plies,
    round(avg(loss), 2) as mean_loss,
    round(quantile_cont(loss, 0.9), 2) as quantile_90
from losses
where loss is not null
group by ply_from
order by ply_from;
