package io.heatshield.web.page;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Looks for violations of accessibility rules in a page, by axe-core. */
final class Axe {
  private Axe() {}

  /**
   * Returns the violations in what the page shows now, a line each, or an empty text.
   *
   * <p>axe-core runs in the page itself, put there by the debugger, to which the page's content
   * security policy does not apply.
   */
  static String violations(Browser browser) throws Exception {
    if (!browser.value("typeof window.axe").equals("object")) {
      browser.run(source());
    }
    return browser.value(
        "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations"
            + ".map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 200)"
            + " + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`).join('\\n'))");
  }

  private static String source() throws IOException {
    try (InputStream in = Axe.class.getResourceAsStream("axe.min.js")) {
      if (in == null) {
        throw new FileNotFoundException("no such resource: axe.min.js");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
