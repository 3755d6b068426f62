package io.heatshield.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;

/** The configuration of the demo: every protection observes until a scene enforces it. */
public final class DemoConfiguration {
  static final String DOMAIN = "shop";
  static final String DESCRIPTOR = "endpoint";
  static final String ENDPOINT = "checkout";

  private DemoConfiguration() {}

  /** Returns the configuration as YAML and writes the rate-limit rules to the folder. */
  public static String yaml(
      DemoFolder folder, String storeUrl, String http, String grpc, String resp)
      throws IOException {
    Files.createDirectory(folder.rules());
    Files.writeString(
        folder.rules().resolve("shop.yaml"),
        String.format(
            Locale.ROOT,
            """
            domain: %s
            descriptors:
              - key: %s
                rate_limit: { unit: minute, requests_per_unit: 100000000 }
            """,
            DOMAIN,
            DESCRIPTOR));
    return String.format(
        Locale.ROOT,
        """
        server: { http: '%s', grpc: '%s', resp: '%s', state_dir: '%s', admin_token_file: '%s' }
        log:    { level: error }
        detect: { window: 5s, threshold: 500 }
        redis:  { url: '%s', timeout: 2s }
        shield:
          url: '%s'
          writers: exclusive
          hot_reads:   { mode: observe, max_stale: 10s }
          write_limit: { mode: observe }
          cuckoo_filter: { mode: observe, expected_items: 100000 }
        limits:
          config: '%s'
          backend: redis
          hot_keys: { mode: observe, flush_window: 10ms }
        """,
        http,
        grpc,
        resp,
        folder.state(),
        folder.token(),
        storeUrl,
        storeUrl,
        folder.rules());
  }
}
