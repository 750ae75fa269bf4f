"""A month of Lichess on a cluster: the tables of a measurement, and a query over the games.

    PYSPARK_PYTHON=python3 spark-submit --master spark://HOST:7077 spark_month.py OUTPUT ARCHIVE...

The archives are paths or URLs that all machines of the cluster open by the same name, such as
``s3://BUCKET/lichess_db_standard_rated_2017-05.pgn.zst``. Each machine needs Python with pgnmill, pyspark, pyarrow and,
for URLs, fsspec with the package of the store (s3fs, gcsfs, adlfs). A failed or lost task is run again by Spark; the last
step checks that each game was counted once.
"""

import sys

import pgnmill.spark
from pyspark.sql import SparkSession


def main(output: str, archives: list[str]) -> None:
    spark = SparkSession.builder.appName("pgnmill: a month").getOrCreate()
    pgnmill.spark.register(spark)

    # The tables of `pgnmill measure --by speed,rating --entropy`, byte for byte as one machine writes them.
    job = pgnmill.spark.measure(spark, archives, by=["speed", "rating"], entropy=True)
    print(f"{len(job.splits)} splits")
    summary = job.write(output, overwrite=True).summary
    print(f"{summary.games} games, {summary.rejected} rejected, {summary.plies} plies: tables in {output}")

    # A query: the columns are named, so that only they are computed; `where` is applied where games are read.
    read = spark.read.format("pgn").option("columns", "ECO,outcome,WhiteElo").option("where", "WhiteElo >= 2000")
    strong = read.load(archives).groupBy("ECO").count()
    strong.orderBy("count", ascending=False).show(10)
    spark.stop()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
