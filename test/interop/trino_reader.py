"""A Trino of one node on this computer, with the configuration that the guide has (docs/guide/mirror.md).

WELLBENCH_TRINO is the folder of its server, and WELLBENCH_TRINO_JAVA that of its Java.
"""
import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

START_SECONDS = 600


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def files(place, port):
    """Its configuration. Tables are below `/`."""
    return {
        "node.properties": f"node.environment=interop\nnode.id=one\nnode.data-dir={place}/data\nnode.bind-ip=127.0.0.1\n",
        "jvm.config": "-server\n-Xmx3G\n",
        "config.properties": "coordinator=true\nnode-scheduler.include-coordinator=true\nnode.internal-address=127.0.0.1\n"
        f"http-server.http.port={port}\ndiscovery.uri=http://127.0.0.1:{port}\n",
        "catalog/wellbench.properties": "connector.name=delta_lake\nhive.metastore=file\n"
        f"hive.metastore.catalog.dir=local://{place}/metastore\nfs.native-local.enabled=true\nlocal.location=/\n"
        "delta.register-table-procedure.enabled=true\n",
    }


class Trino:
    package = None

    def __init__(self):
        self.connection = None
        self.count = 0

    def version(self):
        cursor = self.start()
        cursor.execute("SELECT version()")
        return cursor.fetchone()[0]

    def delta(self, path):
        import pyarrow

        cursor = self.start()
        self.count += 1
        name = f"table_{self.count}"
        cursor.execute(f"CALL system.register_table(schema_name => 'tables', table_name => '{name}', table_location => 'local://{path}')")
        cursor.fetchall()
        cursor.execute(f"SELECT * FROM {name}")
        names = [column.name for column in cursor.description]
        tables = []
        while rows := cursor.fetchmany(50_000):
            tables.append(pyarrow.table(dict(zip(names, map(list, zip(*rows))))))
        return pyarrow.concat_tables(tables, promote_options="permissive")

    def start(self):
        """A cursor of the running server, which is started with the first one."""
        import trino

        if self.connection is None:
            port = self.start_server()
            self.connection = trino.dbapi.connect(
                host="127.0.0.1", port=port, user="interop", catalog="wellbench", schema="tables", timezone="UTC"
            )
            cursor = self.connection.cursor()
            cursor.execute("CREATE SCHEMA tables")
            cursor.fetchall()
        return self.connection.cursor()

    def start_server(self):
        place = tempfile.mkdtemp(prefix="wellbench-trino-")
        port = free_port()
        for name, text in files(place, port).items():
            path = os.path.join(place, "etc", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.makedirs(os.path.join(place, "metastore"))
        launcher = os.path.join(os.environ["WELLBENCH_TRINO"], "bin", "launcher")
        log = open(os.path.join(place, "log"), "w", encoding="utf-8")
        server = subprocess.Popen(
            [launcher, "run", "-etc-dir", f"{place}/etc", "-jvm-dir", os.environ["WELLBENCH_TRINO_JAVA"]],
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

        def stop():
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            shutil.rmtree(place, ignore_errors=True)

        atexit.register(stop)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and server.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/info") as answer:
                    if not json.load(answer)["starting"]:
                        return port
            except OSError:
                pass
            time.sleep(1)
        with open(log.name, encoding="utf-8") as file:
            raise RuntimeError(f"Trino didn’t start: {file.read()[-300:]}")
