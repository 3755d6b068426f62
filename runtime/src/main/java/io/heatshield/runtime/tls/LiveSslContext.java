package io.heatshield.runtime.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * A context for a server that asks for one once: every new connection gets an engine of the context
 * that is in use at that moment.
 */
final class LiveSslContext extends SslContext {
  private final Supplier<SslContext> current;

  LiveSslContext(Supplier<SslContext> current) {
    this.current = current;
  }

  @Override
  public boolean isClient() {
    return current.get().isClient();
  }

  @Override
  public List<String> cipherSuites() {
    return current.get().cipherSuites();
  }

  // The only form that the class to extend knows.
  @SuppressWarnings("deprecation")
  @Override
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return current.get().applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return current.get().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return current.get().newEngine(allocator, peerHost, peerPort);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return current.get().sessionContext();
  }
}
