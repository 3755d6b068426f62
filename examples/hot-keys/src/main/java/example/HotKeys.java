package example;

import static java.time.Duration.ofSeconds;

import io.heatshield.detect.HotKeyDetector;

/** Reports a key that takes most of the requests. */
public final class HotKeys {

  public static void main(String[] args) {
    try (HotKeyDetector hot =
        HotKeyDetector.builder()
            .window(ofSeconds(10))
            .threshold(100)
            .onHot(key -> System.out.println(key.key() + " is hot"))
            .build()) {
      for (int request = 0; request < 20_000; request++) {
        hot.touch("user:" + request);
        if (request % 10 == 0) {
          hot.touch("user:42");
        }
      }

      System.out.println("hot keys: " + hot.hot().size());
    }
  }
}
