package io.heatshield.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.TestEngine;
import io.heatshield.store.memory.MemoryEngine;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingEngineTest {

  /** A method that is not forwarded would use its default, and bypass what the engine does. */
  @Test
  void everyMethodOfAnEngine_isForwarded() {
    List<String> forwarded =
        Arrays.stream(ForwardingEngine.class.getDeclaredMethods()).map(Method::getName).toList();

    assertThat(Arrays.stream(Engine.class.getDeclaredMethods()).filter(m -> isCallable(m)))
        .extracting(Method::getName)
        .isSubsetOf(forwarded);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {ExpirySweep.class, ChangeSequence.class, ChangeReports.class, KeyRouting.class})
  void capability_ofTheEngineBelow_isThatEngine(Class<?> type) {
    TestEngine below = TestEngine.local();

    assertThat(new Decorator(new Decorator(below)).capability(type).orElse(null)).isSameAs(below);
  }

  @ParameterizedTest
  @ValueSource(classes = {FaultReports.class, DeferredWrites.class, InlineCalls.class})
  void capability_thatTheEngineBelowHasNot_isEmpty(Class<?> type) {
    assertThat(new Decorator(TestEngine.local()).capability(type).isPresent()).isFalse();
  }

  @Test
  void capability_ofTheDecorator_replacesThatOfTheEngineBelow() {
    var below = new MemoryEngine(1 << 20);
    var decorator = new StructureEngine(below, (type, form) -> null, 1 << 20);

    assertThat(below.capability(SpaceUse.class)).containsSame(below);
    assertThat(decorator.capability(SpaceUse.class)).containsSame(decorator);
    assertThat(decorator.capability(DeferredWrites.class)).containsSame(decorator);
    assertThat(decorator.capability(ExpirySweep.class)).containsSame(below);
    assertThat(decorator.room()).isEqualTo(below.room());
  }

  @Test
  void capability_inlineCalls_doNotBypassADecorator() {
    var below = new MemoryEngine(1 << 20);

    assertThat(below.capability(InlineCalls.class)).containsSame(below);
    assertThat(new Decorator(below).capability(InlineCalls.class)).isEmpty();
    assertThat(
            new StructureEngine(below, (type, form) -> null, 1 << 20).capability(InlineCalls.class))
        .isEmpty();
  }

  private static boolean isCallable(Method method) {
    return !method.isSynthetic() && !Modifier.isStatic(method.getModifiers());
  }

  /** Changes nothing. */
  private static final class Decorator extends ForwardingEngine {
    Decorator(Engine engine) {
      super(engine);
    }
  }
}
