"""A measurement on a cluster of Spark in which tasks and machines fail: its tables are those of one machine.

    python tests/spark_faults.py FOLDER

Starts a standalone master and two workers on the loopback, with their files in FOLDER. While the tasks run, one raises an
exception once, one takes so long that Spark starts a copy of it, and a worker and its executor are killed. Prints what
happened; the exit code is 0 if the tables are the same and the ledger is complete, 3 if that is so but the cluster did not
start in time or not all of this happened.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pgnmill
import pyspark

HOME = Path(pyspark.__file__).parent
DATA = Path(__file__).resolve().parents[2] / "data"
OPTIONS = {"by": ["speed", "result"], "entropy": True}
BEGUN = time.monotonic()


def log(text):
    print(f"{time.monotonic() - BEGUN:5.1f} s  {text}", flush=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A master and two workers with one core each."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        self.url = f"spark://127.0.0.1:{free_port()}"

    def __enter__(self):
        self.start("master", "127.0.0.1", "master.Master", "--port", self.url.rsplit(":", 1)[1])
        # Two hosts: Spark starts a copy of a slow task on another host only.
        for name, host in [("worker-1", "127.0.0.1"), ("worker-2", "127.0.0.2")]:
            directory = str(self.folder / name)
            self.start(name, host, "worker.Worker", "--cores", "1", "--memory", "1g", "-d", directory, self.url)
        return self

    def start(self, name, host, daemon, *words):
        environment = {**os.environ, "SPARK_DAEMON_MEMORY": "256m", "SPARK_NO_DAEMONIZE": "1", "SPARK_HOME": str(HOME)}
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{daemon}", "--host", host]
        with open(self.folder / f"{name}.log", "wb") as file:
            self.processes[name] = subprocess.Popen(
                [*command, "--webui-port", "0", *words], stdout=file, stderr=file, env=environment, cwd=self.folder
            )

    def kill(self, name):
        """Kills a worker and its executors; returns the identifiers of the processes."""
        worker = self.processes[name].pid
        killed = [worker, *children(worker)]
        for process in killed:
            os.kill(process, signal.SIGKILL)
        return killed

    def __exit__(self, *_):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def children(parent):
    """The processes that a process started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(entry.name))
    return found


def faulty_work(folder):
    """Work that fails: a task raises once, the first attempt at another sleeps."""

    def work(split, options):
        from pgnmill._spark_measure import _measured
        from pyspark import TaskContext

        context = TaskContext.get()
        # The executor is named by its directory.
        executor = Path.cwd()
        line = {"split": str(split), "attempt": context.attemptNumber(), "executor": str(executor), "key": split.seal}
        descriptor = os.open(folder / "attempts.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, (json.dumps(line) + "\n").encode())
        os.close(descriptor)

        def is_first(what):
            try:
                os.close(os.open(folder / what, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return False
            return True

        if split.ordinal == 2 and split.container == "text" and is_first("raised"):
            raise RuntimeError("an exception that the test raises")
        if split.ordinal == 1 and split.container == "text" and is_first("slept"):
            time.sleep(30)
        # Long enough that machines can be killed meanwhile.
        time.sleep(0.7)
        return _measured(split, options)

    return work


def attempts_in(folder):
    path = folder / "attempts.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def copies_of_the_slow(attempts):
    """How many attempts there were at the task whose first attempt sleeps."""
    return sum(one["split"].startswith("split 2 of ") and "plain" in one["split"] for one in attempts)


def has_come_far(attempts, count):
    return len(attempts) >= count // 2 and copies_of_the_slow(attempts) > 1


def archives_in(folder):
    """Two archives: frames of zstd, and plain text."""
    plain, frames = folder / "plain.pgn", folder / "frames.pgn.zst"
    plain.write_bytes((DATA / "sources.pgn").read_bytes() * 400)
    shutil.copy(DATA.parent / "tests" / "generated" / "lichess-sample.pgn.zst", frames)
    return [plain, frames]


def main(folder):
    import pgnmill._spark_measure as parts
    import pgnmill.spark
    from pyspark.sql import SparkSession

    folder.mkdir(parents=True, exist_ok=True)
    archives = archives_in(folder)
    expected = pgnmill.measure(archives, faults=False, quiet=True, progress=False, **OPTIONS)
    log(f"one machine: {expected.summary.games} games, {expected.summary.plies} plies, {len(expected.tables)} tables")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with Cluster(folder) as cluster:
        builder = SparkSession.builder.master(cluster.url).appName("pgnmill faults")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.sql.shuffle.partitions": "4",
            "spark.speculation": "true",
            "spark.speculation.interval": "200ms",
            "spark.speculation.quantile": "0.1",
            "spark.speculation.multiplier": "2",
            "spark.speculation.minTaskRuntime": "500ms",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        limit = time.monotonic() + 150
        while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
            if time.monotonic() > limit:
                log("the cluster has not started after 150 s")
                os._exit(3)
            time.sleep(0.2)
        log("a master and two workers have started")
        # A tree of merges, although there are few splits.
        parts.FAN = 4
        job = pgnmill.spark.measure(spark, archives, target_bytes=60_000, **OPTIONS)
        job = pgnmill.spark.MeasureJob(spark, job.splits, job._options, work=faulty_work(folder))
        log(f"{len(job.splits)} splits")
        result = {}
        thread = threading.Thread(target=lambda: result.update(found=job.write(folder / "tables")))
        thread.start()
        # In the middle of the stage, when the slow task was copied.
        while thread.is_alive() and not has_come_far(attempts_in(folder), len(job.splits)):
            time.sleep(0.1)
        running = attempts_in(folder)
        killed = cluster.kill("worker-2")
        log(f"worker-2 and its executor are killed (processes {killed}), after {len(running)} attempts had begun")
        thread.join(240)
        if thread.is_alive():
            log("the job has not ended after 240 s")
            os._exit(1)
        log("the job has ended")
        spark.stop()
    return report(folder, job, expected, result["found"])


def report(folder, job, expected, found):
    """Prints the attempts at each split, and compares the tables."""
    attempts = attempts_in(folder)
    by_split = {}
    for one in attempts:
        by_split.setdefault(one["split"].replace(f"{folder}/", ""), []).append(one)
    log(f"{len(attempts)} attempts at {len(job.splits)} splits; several at:")
    for name, several in sorted(by_split.items()):
        if len(several) > 1:
            where = [f"attempt {one['attempt']} on {Path(one['executor']).parts[-3]}" for one in several]
            log(f"    {name}: {', '.join(where)}")
    raised, slept = (folder / "raised").exists(), copies_of_the_slow(attempts) > 1
    log(f"a task has raised an exception: {raised}; a task was slow, and copied: {slept}")
    # The list of tables has the ledger besides, which one machine does not write.
    names = [name for name in expected.tables if name != "tables"]
    different = [name for name in names if expected.tables[name].to_csv() != found.tables[name].to_csv()]
    log(f"tables that differ from those of one machine: {different or 'none'} of {len(expected.tables)}")
    ledger = found.tables["ledger"].rows() if "ledger" in found.tables else []
    log(f"the ledger has {len(ledger)} rows of {len(job.splits)} splits")
    if different or len(ledger) != len(job.splits):
        return 1
    return 0 if raised and slept and len(attempts) > len(job.splits) else 3


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
