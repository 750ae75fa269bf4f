-- What score does White reach against weaker and stronger opponents?
-- Games in buckets of 100 points of rating difference (White's rating minus Black's), with White's mean score in percent.
-- Input: view games. Games without two ratings or without a result are left out.
select
    cast(floor((cast(WhiteElo as integer) - BlackElo) / 100) * 100 as integer) as difference_from,
    count(*) as games,
    round(100 * avg(case outcome when '1-0' then 1.0 when '0-1' then 0.0 else 0.5 end), 2) as score_of_white
from games
where WhiteElo is not null and BlackElo is not null and outcome in ('1-0', '0-1', '1/2-1/2')
group by difference_from
order by difference_from;
