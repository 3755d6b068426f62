package io.heatshield.cli.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration file of a combination, with thresholds so low that every action meets its case.
 */
final class ConfigFile {
  static final String ADMIN_TOKEN = "an-admin-token-of-the-pairs";
  static final String PASSWORD = "a-password";
  static final int LIMIT = 100;

  private final Path folder;
  private final Backing backing;
  private final Certificate certificate;

  ConfigFile(Path folder, Backing backing, Certificate certificate) throws IOException {
    this.folder = folder;
    this.backing = backing;
    this.certificate = certificate;
    Certificate.secret(folder.resolve("token"), ADMIN_TOKEN);
    Certificate.secret(folder.resolve("password"), PASSWORD);
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/shop.yaml"),
        "domain: shop\ndescriptors:\n  - { key: a, rate_limit: { unit: year, requests_per_unit: "
            + LIMIT
            + " } }\n");
  }

  /** Returns where the file is. */
  Path path() {
    return folder.resolve("server.yaml");
  }

  /** Returns the files that a combination with lost state finds gone after a restart. */
  List<Path> state() {
    return List.of(folder.resolve("state"), folder.resolve("data.filter"));
  }

  /** Saves the file. */
  void save(Combination combination) throws IOException {
    var lines = new ArrayList<String>();
    String tls =
        combination.isOn(Factor.TLS)
            ? ", tls: { cert: '" + certificate.chain() + "', key: '" + certificate.key() + "' }"
            : "";
    lines.add(
        "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0',"
            + " state_dir: ./state, admin_token_file: ./token"
            + tls
            + " }");
    lines.add("detect: { window: 5m, threshold: 1 }");
    if (!backing.sharedUrl().isEmpty()) {
      lines.add("redis: { url: '" + backing.sharedUrl() + "', timeout: 10s, on_failure: closed }");
    }
    if (combination.isOn(Factor.FLEET)) {
      lines.add("fleet: { name: pairs, node: one }");
    }
    lines.add(
        "limits: { config: ./limits, backend: "
            + (backing.sharedUrl().isEmpty() ? "memory" : "redis")
            + ", hot_keys: { threshold: 5, mode: '"
            + combination.get(Factor.HOT_KEYS)
            + "' } }");
    lines.addAll(combination.isShield() ? shield(combination) : store(combination));
    Path next = Files.write(folder.resolve("server.yaml.next"), lines);
    Files.move(next, path(), StandardCopyOption.REPLACE_EXISTING);
  }

  private List<String> shield(Combination combination) {
    return List.of(
        "shield:",
        "  url: '" + backing.dataUrl() + "'",
        "  timeout: 20s",
        "  writers: " + combination.get(Factor.WRITERS),
        "  max_memory: " + combination.get(Factor.MEMORY),
        "  hot_reads: { threshold: 4, mode: '" + combination.get(Factor.HOT_READS) + "' }",
        "  write_limit: { per_window: 20, mode: '" + combination.get(Factor.WRITE_LIMIT) + "' }",
        "  absence: { expected_items: 1000, mode: '" + combination.get(Factor.FILTER) + "' }");
  }

  private List<String> store(Combination combination) {
    var lines = new ArrayList<String>();
    lines.add("stores:");
    lines.add("  - name: main");
    lines.add(
        "    engine: " + (combination.isInRedis() ? "redis" : combination.get(Factor.ENGINE)));
    if (combination.isInRedis()) {
      lines.add("    prefix: 'main:'");
    }
    if (combination.has(Factor.ENGINE, "rocksdb")) {
      lines.add("    path: ./data");
    }
    lines.add("    writers: " + combination.get(Factor.WRITERS));
    lines.add("    max_memory: " + combination.get(Factor.MEMORY));
    lines.add("    hot_reads: { threshold: 4, mode: '" + combination.get(Factor.HOT_READS) + "' }");
    lines.add(
        "    write_limit: { per_window: 20, mode: '" + combination.get(Factor.WRITE_LIMIT) + "' }");
    lines.add("    routing: { threshold: 3, mode: '" + combination.get(Factor.ROUTING) + "' }");
    lines.add(
        "    cuckoo_filter: { expected_items: 1000, mode: '"
            + combination.get(Factor.FILTER)
            + "' }");
    if (combination.isOn(Factor.USERS)) {
      lines.add("users:");
      lines.add("  - { name: app, password_file: ./password }");
      lines.add("  - { name: operator, password_file: ./password, admin: true }");
    }
    return lines;
  }
}
