package io.heatshield.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** Passes lines on to an appender, or lets them wait while {@link HeldLines} holds them. */
final class HoldingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private final Appender<ILoggingEvent> target;
  private final HeldLines held;

  HoldingAppender(Context context, Appender<ILoggingEvent> target, HeldLines held) {
    this.target = target;
    this.held = held;
    setContext(context);
  }

  @Override
  public void stop() {
    super.stop();
    target.stop();
  }

  @Override
  protected void append(ILoggingEvent event) {
    held.append(event, target::doAppend);
  }
}
