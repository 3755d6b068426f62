package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.secret.AdminToken.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminGateTest {
  private static final String OLD = "old-token-0123456789";
  private static final String NEW = "new-token-0123456789";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void writeToken() throws IOException {
    file = folder.resolve("token");
    Files.writeString(file, OLD);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  @Test
  void check_ofTokens_comparesAllCharacters() throws IOException {
    AdminToken token = AdminToken.fromFile(file);

    assertThat(token.check("Bearer " + OLD)).isEqualTo(Verdict.ACCEPTED);
    assertThat(token.check("BEARER   " + OLD + " ")).isEqualTo(Verdict.ACCEPTED);
    assertThat(token.check("Bearer " + OLD + "x")).isEqualTo(Verdict.WRONG);
    assertThat(token.check("Bearer " + OLD.substring(1))).isEqualTo(Verdict.WRONG);
    assertThat(token.check("Bearer ")).isEqualTo(Verdict.WRONG);
    assertThat(token.check("Bearer")).isEqualTo(Verdict.MISSING);
    assertThat(token.check(null)).isEqualTo(Verdict.MISSING);
    assertThat(AdminToken.none().check("Bearer ")).isEqualTo(Verdict.NONE_SET);
  }

  @Test
  void refresh_afterAChange_acceptsOnlyTheNewToken() throws IOException {
    AdminToken token = AdminToken.fromFile(file);

    Files.writeString(file, NEW + "\n");
    assertThat(token.refresh()).isTrue();

    assertThat(token.check("Bearer " + NEW)).isEqualTo(Verdict.ACCEPTED);
    assertThat(token.check("Bearer " + OLD)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void refresh_withoutTheFile_acceptsNoTokenUntilItIsBack() throws IOException {
    AdminToken token = AdminToken.fromFile(file);

    Files.delete(file);
    assertThat(token.refresh()).isFalse();
    assertThat(token.check("Bearer " + OLD)).isEqualTo(Verdict.NONE_SET);

    writeToken();
    assertThat(token.refresh()).isTrue();
    assertThat(token.check("Bearer " + OLD)).isEqualTo(Verdict.ACCEPTED);
  }

  @Test
  void fromFile_ofABadToken_failsWithTheReasonWithoutTheToken() throws IOException {
    for (String bad : List.of("", "short", "with a blank inside it", "two-lines-0123\n456789")) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> AdminToken.fromFile(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at least 16 visible")
          .hasMessageNotContaining("two-lines");
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> AdminToken.fromFile(file)).hasMessageContaining("chmod 600");
  }

  @Test
  void gate_ofWrongTokens_delaysABoundedNumberOfAnswers() throws IOException {
    var gate = new AdminGate(AdminToken.fromFile(file), new HttpMeters());
    List<Runnable> delayed = new ArrayList<>();
    AdminGate.Delayer delayer =
        (delay, task) -> {
          assertThat(delay).isEqualTo(AdminGate.DELAY);
          delayed.add(task);
        };

    List<CompletionStage<Response>> late = new ArrayList<>();
    for (int i = 0; i < AdminGate.MAX_WAITING; i++) {
      late.add(refused(gate.refusal("Bearer wrong", delayer)));
    }
    CompletionStage<Response> extra = refused(gate.refusal("Bearer wrong", delayer));
    @Nullable CompletionStage<Response> right = gate.refusal("Bearer " + OLD, delayer);

    assertThat(late).allMatch(answer -> !answer.toCompletableFuture().isDone());
    assertThat(delayed).hasSize(AdminGate.MAX_WAITING);
    assertThat(extra.toCompletableFuture().join().status()).isEqualTo(429);
    assertThat(right).isNull();
    delayed.forEach(Runnable::run);
    assertThat(late).allMatch(answer -> answer.toCompletableFuture().join().status() == 403);
    assertThat(refused(gate.refusal("Bearer wrong", delayer)).toCompletableFuture()).isNotDone();
  }

  private static CompletionStage<Response> refused(@Nullable CompletionStage<Response> refusal) {
    if (refusal == null) {
      throw new AssertionError("the gate let a wrong token pass");
    }
    return refusal;
  }
}
