using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # The emulator listens on this machine, which a worker does not reach unless it is told to.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "bundled-worker.js")],
  bindings = [],
  compatibilityFlags = [],
  compatibilityDate = "2026-01-01",
);
