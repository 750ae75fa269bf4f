-- What was played most, month by month?
-- The five most frequent openings of each month, with their number of games and the share of the month's games in percent.
-- Input: view games. The month is that of UTCDate, else of Date; games without month or opening are left out.
with named as (
    select
        coalesce(strftime(UTCDate, '%Y-%m'), replace(regexp_extract("Date", '^[0-9]{4}[.][0-9]{2}'), '.', '-')) as month,
        coalesce(Opening, ECO) as opening_name
    from games
),
counted as (
    select month, opening_name, count(*) as games, sum(count(*)) over (partition by month) as of_month
    from named
    where month <> '' and opening_name is not null
    group by month, opening_name
)
select month, opening_name, games, round(100 * games / of_month, 2) as percent
from counted
qualify row_number() over (partition by month order by games desc, opening_name) <= 5
order by month, games desc, opening_name;
