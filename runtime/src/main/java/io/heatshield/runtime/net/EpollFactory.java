package io.heatshield.runtime.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Epoll with a workaround for a bug of Netty 4.2 that breaks half-closed connections.
 *
 * <p>When a peer shuts down its output, Netty no longer polls for input, and removes the socket
 * from epoll if no other interest is left. It does not record the removal, so the next change of
 * interest, to wait for the socket to become writable, fails with ENOENT and the connection is
 * closed. Here such a socket stays in epoll with the interest that cannot be removed: errors,
 * edge-triggered.
 */
final class EpollFactory implements IoHandlerFactory {
  private final IoHandlerFactory netty = EpollIoHandler.newFactory();

  @Override
  public IoHandler newHandler(ThreadAwareExecutor executor) {
    return new Handler(netty.newHandler(executor));
  }

  @Override
  public boolean isChangingThreadSupported() {
    return netty.isChangingThreadSupported();
  }

  private record Handler(IoHandler netty) implements IoHandler {
    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return new Registration(netty.register(handle));
    }

    @Override
    public void initialize() {
      netty.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
      return netty.run(context);
    }

    @Override
    public void prepareToDestroy() {
      netty.prepareToDestroy();
    }

    @Override
    public void destroy() {
      netty.destroy();
    }

    @Override
    public void wakeup() {
      netty.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
      return netty.isCompatible(handleType);
    }
  }

  /** The registration of one socket in epoll. For its event loop. */
  private static final class Registration implements IoRegistration {
    private final IoRegistration netty;
    private boolean added;

    Registration(IoRegistration netty) {
      this.netty = netty;
    }

    @Override
    public long submit(IoOps ops) {
      if (!EpollIoOps.NONE.equals(ops)) {
        added = true;
        return netty.submit(ops);
      }
      return netty.submit(added ? EpollIoOps.EPOLLET : ops);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // As the interface has it.
    public <T> T attachment() {
      return netty.attachment();
    }

    @Override
    public boolean isValid() {
      return netty.isValid();
    }

    @Override
    public boolean cancel() {
      return netty.cancel();
    }
  }
}
