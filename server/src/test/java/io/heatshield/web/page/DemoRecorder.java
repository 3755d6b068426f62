package io.heatshield.web.page;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes a picture of a page every two seconds, as {@code docs/record-demo} does for README: {@code
 * DemoRecorder ADDRESS FOLDER PICTURES}.
 */
final class DemoRecorder {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private DemoRecorder() {}

  /** Writes {@code frame-00.png} and so on to the folder. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[1]);
    Path program = Browser.find().orElseThrow(() -> new IllegalStateException("no browser found"));
    try (Browser browser = Browser.start(program, Files.createTempDirectory(folder, "profile"))) {
      browser.show(1280, 800, "light");
      browser.open(URI.create(args[0]));
      browser.await("document.getElementById('state').dataset.state !== 'asking'");
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        browser.screenshot(folder.resolve(String.format(Locale.ROOT, "frame-%02d.png", i)));
      }
    }
  }
}
