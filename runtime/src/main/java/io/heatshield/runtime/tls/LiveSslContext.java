package io.heatshield.runtime.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** Delegates every new connection to the current context of a reloadable certificate. */
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

  // The superclass has no other form.
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
