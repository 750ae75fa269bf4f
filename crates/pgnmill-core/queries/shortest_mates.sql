-- Which games ended with checkmate after the fewest plies?
-- The 20 shortest, with their moves. SAN is canonical, so a move that mates ends with `#`; where the opt-in column of plies is
-- there, "check" = 'mate' is the same condition.
-- Input: views games and plies, joined by archive and byte_offset.
select games.ply_count, games.outcome, games.White, games.Black, games.Site, games.moves, last.san as last_move
from games
join plies as last
    on last.archive = games.archive and last.byte_offset = games.byte_offset and last.ply = games.ply_count
where last.san like '%#'
order by games.ply_count, games.archive, games.byte_offset
limit 20;
