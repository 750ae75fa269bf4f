-- How much time is left after move 20, by speed of the game?
-- Median of the clocks of both players after their 20th moves (plies 39 and 40), in seconds; speeds as Lichess names them, by
-- initial time + 40 increments.
-- Input: views games and plies, joined by archive and byte_offset.
with timed as (
    select archive, byte_offset, time_initial + 40 * time_increment as seconds
    from games
    where time_initial is not null
)
select
    case
        when seconds < 29 then 'ultraBullet'
        when seconds < 179 then 'bullet'
        when seconds < 479 then 'blitz'
        when seconds < 1499 then 'rapid'
        else 'classical'
    end as speed,
    count(*) as clocks,
    median(clock_ms) / 1000 as median_seconds
from timed
join plies using (archive, byte_offset)
where ply in (39, 40) and clock_ms is not null
group by speed
order by median_seconds, speed;
