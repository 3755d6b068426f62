package io.heatshield.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** Writes lines to an appender through a {@link LogQueue}. */
final class QueueingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private final Appender<ILoggingEvent> target;
  private final LogQueue queue;

  QueueingAppender(Context context, Appender<ILoggingEvent> target, LogQueue queue) {
    this.target = target;
    this.queue = queue;
    setContext(context);
  }

  @Override
  public void stop() {
    super.stop();
    target.stop();
  }

  @Override
  protected void append(ILoggingEvent event) {
    queue.append(event, target::doAppend);
  }
}
