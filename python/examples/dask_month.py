"""The tables of a measurement with Dask: python dask_month.py OUTPUT ARCHIVE..."""

import sys

import dask.bag
import pgnmill


def measured(split: pgnmill.Split) -> pgnmill.Measurement:
    """The tables of one split, in memory: the task of a worker."""
    return pgnmill.measure(split, faults=False, threads=1, by="speed")


if __name__ == "__main__":
    output, *archives = sys.argv[1:]
    splits = pgnmill.splits(archives, target_bytes=64 << 20)
    tasks = dask.bag.from_sequence(splits, npartitions=len(splits)).map(measured)
    # A split that is missing or doubled is refused here.
    total = pgnmill.merge(tasks.compute(scheduler="processes"), output=output)
    print(f"{len(splits)} splits: {total.summary.games} games, {total.summary.plies} plies")
