"""Trains a network of PyTorch to find the moves of an archive: python train.py ARCHIVE.pgn.zst"""

# PyTorch is not installed where this package is checked.
# pyright: basic, reportMissingImports=false, reportPossiblyUnboundVariable=false

import sys

import pgnmill
import torch

net = torch.nn.Sequential(torch.nn.Embedding(13, 8), torch.nn.Flatten(), torch.nn.Linear(512, 256), torch.nn.ReLU(), torch.nn.Linear(256, 4096))
optimizer, loss_of = torch.optim.Adam(net.parameters()), torch.nn.CrossEntropyLoss()
for batch in pgnmill.plies(sys.argv[1], columns=["board", "move_code"], sample_plies="20%").arrays(copy=True):
    boards, moves = torch.from_numpy(batch["board"]).int(), torch.from_numpy(batch["move_code"]).long() & 4095
    for some in torch.randperm(len(moves)).split(1024):
        optimizer.zero_grad()
        loss = loss_of(net(boards[some]), moves[some])
        loss.backward()
        optimizer.step()
    print(f"{len(moves):,} positions, loss {loss.item():.3f}")
