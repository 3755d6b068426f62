package io.heatshield.config.bind;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GuidePageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("house.root", "..")).resolve("docs/guide/configuration.md");

  @Test
  void text_comparedWithTheGuide_isEqual() throws IOException {
    String text = GuidePage.text();

    if (Boolean.getBoolean("guide.write")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, text);
    }
    assertThat(PAGE)
        .as(
            "to write it again: mvn test -pl config -am -Dguide.write=true -Dtest=GuidePageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false")
        .hasContent(text);
  }

  @Test
  void everySetting_isDescribedInOneSentence() {
    assertSentences(Section.of(Settings.class));
  }

  private static void assertSentences(Section section) {
    for (Field field : section.fields()) {
      assertThat(field.setting().doc()).as(field.key()).matches("[A-Z][^.]*(\\.[^ .]+[^.]*)*\\.");
      if (field.isSection()) {
        assertSentences(field.section());
      }
    }
  }
}
