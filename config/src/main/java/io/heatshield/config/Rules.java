package io.heatshield.config;

import io.heatshield.config.bind.Binder;
import io.heatshield.config.settings.DetectSettings;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.value.Address;
import io.heatshield.config.value.ByteSize;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules about several settings. */
final class Rules {
  private static final long SKETCH_BUDGET = 1L << 30;
  private static final int COUNTER_BYTES = 4;
  private static final int MAX_WIDTH = 1 << 24;

  private final Settings settings;
  private final Binder binder;

  private Rules(Settings settings, Binder binder) {
    this.settings = settings;
    this.binder = binder;
  }

  /** Adds a fault for each rule that is violated. */
  static void check(Settings settings, Binder binder) {
    var rules = new Rules(settings, binder);
    rules.checkPorts();
    rules.checkSketch();
    rules.checkThreshold();
    rules.checkLimits();
    rules.checkFleet();
    TableChecks.check(settings, binder);
    rules.checkStores();
    rules.checkShield();
  }

  private void checkPorts() {
    ServerSettings server = settings.server();
    boolean token = server.adminTokenFile() != null;
    checkPort("server.http", server.http(), token, "server.admin_token_file");
    checkPort("server.grpc", server.grpc(), false, null);
    boolean users = !settings.users().isEmpty() && settings.shield() == null;
    checkPort("server.resp", server.resp(), users, settings.shield() == null ? "users" : null);
    checkDistinct("server.http", server.http(), "server.grpc", server.grpc());
    checkDistinct("server.http", server.http(), "server.resp", server.resp());
    checkDistinct("server.grpc", server.grpc(), "server.resp", server.resp());
  }

  private void checkPort(
      String path, Address address, boolean credentials, @Nullable String credentialsKey) {
    ServerSettings server = settings.server();
    if (address.isLoopback() || server.tls() != null || credentials || server.allowPlaintext()) {
      return;
    }
    String others = credentialsKey == null ? "server.tls" : "server.tls or " + credentialsKey;
    binder.fault(
        path,
        "other machines can reach " + address + ", and nothing protects it",
        "set " + others + ", or add the line `allow_plaintext: true` under server",
        "server.tls",
        "server.admin_token_file",
        "server.allow_plaintext");
  }

  private void checkDistinct(String path, Address address, String other, Address otherAddress) {
    if (address.port() != 0 && address.equals(otherAddress)) {
      binder.fault(other, "is the same address as " + path, "give it another port", path);
    }
  }

  private void checkSketch() {
    DetectSettings detect = settings.detect();
    long counters = (long) detect.width() * detect.depth();
    long bytes = counters * COUNTER_BYTES * detect.panes();
    if (counters > Integer.MAX_VALUE) {
      binder.fault(
          "detect.width",
          String.format(
              Locale.ROOT,
              "width x depth is %d counters, more than the %d that a sketch can hold, and would need %s",
              counters,
              Integer.MAX_VALUE,
              rounded(bytes)),
          null,
          "detect.depth",
          "detect.panes");
    } else if (bytes > SKETCH_BUDGET) {
      binder.fault(
          "detect.width",
          String.format(
              Locale.ROOT,
              "width x depth x panes would need %s, over the budget of %s for one scope",
              rounded(bytes),
              new ByteSize(SKETCH_BUDGET)),
          "lower width, depth or panes",
          "detect.depth",
          "detect.panes");
    } else if (detect.width() > MAX_WIDTH) {
      binder.fault("detect.width", "must be at most " + MAX_WIDTH, "add depth instead");
    }
  }

  private void checkThreshold() {
    DetectSettings detect = settings.detect();
    double touches = detect.threshold() * (detect.window().toNanos() / 1e9);
    if (touches > Integer.MAX_VALUE) {
      binder.fault(
          "detect.threshold",
          String.format(
              Locale.ROOT,
              "threshold x window is %.3g touches, more than the %d that a counter can hold",
              touches,
              Integer.MAX_VALUE),
          "lower threshold or window",
          "detect.window");
    }
  }

  private void checkLimits() {
    LimitsSettings limits = settings.limits();
    if (limits != null && limits.backend() == LimitsSettings.Backend.REDIS) {
      needRedis("limits.backend", "the backend redis");
    }
  }

  private void checkFleet() {
    if (settings.fleet() != null) {
      needRedis("fleet", "a fleet");
    }
  }

  private void checkStores() {
    if (settings.stores().size() > settings.detect().maxScopes()) {
      binder.fault(
          "detect.max_scopes",
          "must be at least the number of stores, " + settings.stores().size(),
          "each store is a scope");
    }
    Map<Path, String> folders = new HashMap<>();
    List<String> stores = binder.itemsOf("stores");
    for (int s = 0; s < stores.size(); s++) {
      StoreSettings store = settings.stores().get(s);
      String at = stores.get(s);
      String path = at + ".path";
      if (store.engine() == StoreSettings.Engine.REDIS) {
        needRedis(at + ".engine", "the engine redis");
      }
      if (store.engine() == StoreSettings.Engine.ROCKSDB && store.path() == null) {
        binder.fault(
            at + ".engine",
            "the engine rocksdb needs a path",
            "add a line such as path: ./data/" + store.name(),
            path);
      }
      if (store.engine() != StoreSettings.Engine.ROCKSDB && store.path() != null) {
        binder.fault(path, "only the engine rocksdb has a path", null, at + ".engine");
      }
      checkPrefix(s, at);
      RingChecks.check(at, store, binder);
      String taken =
          store.path() == null
              ? null
              : folders.putIfAbsent(store.path().toAbsolutePath().normalize(), at);
      if (taken != null) {
        binder.fault(path, "is the folder of " + taken + " too", "give each store its own");
      }
    }
  }

  /** Stores in one Redis are separate only if no prefix begins with another. */
  private void checkPrefix(int number, String at) {
    StoreSettings store = settings.stores().get(number);
    if (store.engine() != StoreSettings.Engine.REDIS) {
      if (!store.prefix().isEmpty()) {
        binder.fault(at + ".prefix", "only the engine redis has a prefix", null, at + ".engine");
      }
      return;
    }
    for (StoreSettings other : settings.stores().subList(0, number)) {
      if (other.engine() == StoreSettings.Engine.REDIS
          && (store.prefix().startsWith(other.prefix())
              || other.prefix().startsWith(store.prefix()))) {
        binder.fault(
            at + ".prefix",
            "shares keys with the store " + other.name() + ", which is in the same Redis",
            "give each a prefix that no other begins with, such as " + store.name() + ":",
            at + ".engine");
      }
    }
  }

  private void checkShield() {
    ShieldSettings shield = settings.shield();
    if (shield == null) {
      return;
    }
    if (!binder.itemsOf("stores").isEmpty() && !isDefaultStore()) {
      binder.fault(
          "stores",
          "the shield uses the RESP port, so no store can be reached",
          "remove one of them");
    }
    if (shield.url().database() != 0) {
      binder.fault(
          "shield.url",
          "must not name a database, because each client chooses its own by SELECT",
          "remove /" + shield.url().database() + " from its end");
    }
    if (!settings.users().isEmpty()) {
      binder.fault("users", "clients of the shield are users of its Redis", "remove them");
    }
  }

  private boolean isDefaultStore() {
    return settings.stores().size() == 1 && settings.stores().get(0).name().equals("main");
  }

  private void needRedis(String path, String what) {
    if (settings.redis().url() == null) {
      binder.fault(
          path, what + " needs redis.url", "add url: redis://host:6379 under redis", "redis.url");
    }
  }

  /** Returns bytes in MiB or GiB, rounded to a tenth. */
  static String rounded(long bytes) {
    return bytes >= 1L << 30
        ? String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30))
        : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1L << 20));
  }
}
