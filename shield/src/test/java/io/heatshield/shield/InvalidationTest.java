package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.HotReadsSettings;
import io.heatshield.config.value.ByteSize;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.guard.FilterShape;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.shield.Invalidation.Changes;
import io.heatshield.testkit.time.FakeTicker;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvalidationTest {
  private final FakeTicker ticker = new FakeTicker();
  private final HashSecret secret = HashSecret.of(new byte[16]);
  private final KeyHash hash = KeyHash.fast(secret);
  private final GuardContext context =
      new GuardContext(
          "test", secret, ticker::nanos, new Savings(), new FleetHotKeys(hash), warning -> {});
  private final HotReplies memory =
      new HotReplies(
          context,
          new HotReadsSettings(
              Mode.ENFORCE, 1, Duration.ofHours(1), Duration.ofHours(1), new ByteSize(1024)),
          1 << 20,
          HotRing.builder().maxKeys(1000).secret(secret).ticker(ticker::nanos).build(),
          ChangeFeed.ALWAYS);
  private final AbsentKeys absentKeys =
      new AbsentKeys(context, FilterShape.addOnly(100), 1 << 20, true, ChangeFeed.ALWAYS, key -> 0);
  private final Invalidation invalidation = new Invalidation(hash, memory, absentKeys);

  @BeforeEach
  void fill() {
    absentKeys.mode(Mode.ENFORCE);
    try (AbsentKeys.Fill fill = absentKeys.beginFill(10).orElseThrow()) {
      fill.finish();
    }
  }

  @Test
  void onReply_ofNamedKeys_dropsThemInEveryViewAndNoOther() {
    HotReplies.ViewKey ofOne = keep(memory.view("one", 0), "k");
    HotReplies.ViewKey ofTwo = keep(memory.view("two", 1), "k");
    HotReplies.ViewKey other = keep(memory.view("one", 0), "other");

    invalidation.onReply(new Changes(List.of(bytes("k")), false, false));

    assertThat(memory.serve(ofOne)).isNull();
    assertThat(memory.serve(ofTwo)).isNull();
    assertThat(memory.serve(other)).isNotNull();
  }

  @Test
  void onReply_ofAKeyThatIsBeingLoaded_keepsNothingOfTheLoad() {
    HotReplies.ViewKey key = key(memory.view("", 0), "k");
    HotReplies.ReplyLoad load = Objects.requireNonNull(memory.begin(key));

    invalidation.onReply(new Changes(List.of(bytes("k")), false, false));
    complete(load);

    assertThat(memory.serve(key)).isNull();
  }

  @Test
  void onReply_ofAllKeys_dropsEverythingAndTrustsTheFilterNoMore() {
    HotReplies.ViewKey key = keep(memory.view("", 0), "k");
    var all = new Changes(List.of(), true, false);

    invalidation.onSent(all);
    invalidation.onReply(all);

    assertThat(memory.serve(key)).isNull();
    assertThat(absentKeys.isComplete()).isFalse();
    assertThat(invalidation.resets()).isOne();
  }

  @Test
  void beforeWrite_ofAnAbsentKey_isNoLongerAnsweredAsAbsent() {
    boolean before = isAbsent("k");

    invalidation.beforeWrite(hash.hash(bytes("k")));

    assertThat(before).isTrue();
    assertThat(isAbsent("k")).isFalse();
    assertThat(isAbsent("other")).isTrue();
  }

  @Test
  void onSent_ofAScript_answersNothingAsAbsentUntilItsReply() {
    var script = new Changes(List.of(), false, true);

    invalidation.onSent(script);
    boolean during = isAbsent("k");
    invalidation.onReply(script);

    assertThat(during).isFalse();
    assertThat(isAbsent("k")).isTrue();
  }

  @Test
  void onReport_ofAKey_dropsItAndAddsItToTheFilter() {
    HotReplies.ViewKey key = keep(memory.view("", 0), "k");

    invalidation.onReport(bytes("k"));

    assertThat(memory.serve(key)).isNull();
    assertThat(isAbsent("k")).isFalse();
  }

  @Test
  void plus_ofTooManyKeys_becomesAllKeys() {
    var one = new Changes(List.of(bytes("k")), false, false);

    Changes few = Changes.NONE;
    for (int i = 0; i < 1024; i++) {
      few = few.plus(one);
    }
    Changes many = few.plus(one);

    assertThat(few.keys()).hasSize(1024);
    assertThat(few.all()).isFalse();
    assertThat(many.keys()).isEmpty();
    assertThat(many.all()).isTrue();
  }

  private HotReplies.ViewKey keep(int view, String text) {
    HotReplies.ViewKey key = key(view, text);
    complete(Objects.requireNonNull(memory.begin(key)));
    return key;
  }

  private void complete(HotReplies.ReplyLoad load) {
    memory.onValue(load, Unpooled.wrappedBuffer(bytes("$1\r\nv\r\n")), true);
    memory.onTtl(load, Unpooled.wrappedBuffer(bytes(":-1\r\n")));
  }

  private HotReplies.ViewKey key(int view, String text) {
    return new HotReplies.ViewKey(view, bytes(text), hash.hash(bytes(text)));
  }

  private boolean isAbsent(String text) {
    return absentKeys.check(hash.hash(bytes(text))).isAnswered();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
