// Replays every main line of a PGN archive with Disservin's chess-library, which refuses illegal SAN; prints games, plies and refusals.
#include <fstream>
#include <iostream>
#include "chess.hpp"
using namespace chess;
struct Count : pgn::Visitor {
    Board board;
    size_t games = 0, plies = 0, refused = 0;
    void startPgn() override { board.setFen(constants::STARTPOS); ++games; }
    void header(std::string_view key, std::string_view value) override { if (key == "FEN") board.setFen(value); }
    void startMoves() override {}
    void move(std::string_view san, std::string_view) override {
        if (skip()) return;
        Move move = Move::NO_MOVE;
        try { move = uci::parseSan(board, san, moves); } catch (const uci::SanParseError&) {}
        if (move == Move::NO_MOVE) { ++refused; skipPgn(true); return; }
        board.makeMove<true>(move);
        ++plies;
    }
    void endPgn() override { skipPgn(false); }
    Movelist moves;
};
int main(int, char** argv) {
    std::ifstream file(argv[1]);
    pgn::StreamParser parser(file);
    Count count;
    auto error = parser.readGames(count);
    std::cout << count.games << " games, " << count.plies << " plies, " << count.refused << " refused" << (error.hasError() ? ", " + error.message() : "") << "\n";
}
