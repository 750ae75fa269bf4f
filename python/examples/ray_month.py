"""The tables of a measurement with Ray Data: python ray_month.py OUTPUT ARCHIVE..."""

import pickle
import sys

import pgnmill
import ray.data


def measured(row: dict[str, str]) -> dict[str, bytes]:
    """The tables of one split, in memory: the task of a worker."""
    split = pgnmill.Split.from_json(row["split"])
    return {"tables": pickle.dumps(pgnmill.measure(split, faults=False, threads=1, by="speed"))}


if __name__ == "__main__":
    output, *archives = sys.argv[1:]
    splits = [{"split": split.to_json()} for split in pgnmill.splits(archives, target_bytes=64 << 20)]
    rows = ray.data.from_items(splits, override_num_blocks=len(splits)).map(measured).take_all()
    # A split that is missing or doubled is refused here.
    total = pgnmill.merge([pickle.loads(row["tables"]) for row in rows], output=output)
    print(f"{len(splits)} splits: {total.summary.games} games, {total.summary.plies} plies")
