package io.heatshield.runtime.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The event loops of all ports: one that accepts connections, and several that serve them.
 *
 * <p>Uses epoll where it is available and NIO otherwise. The threads start with the first port and
 * are not daemons: the process does not exit before {@link #stop}. Thread-safe, but {@link #stop}
 * and {@link #bind} block and must not be called on one of the loops.
 */
// The end of the loops is awaited through their termination futures.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Transport {
  private static final int BACKLOG = 1024;

  private final boolean epoll;
  private final EventLoopGroup acceptors;
  private final EventLoopGroup workers;

  /** Creates a transport with a number of serving threads; 0 means one per processor. */
  public Transport(int threads) {
    this(threads, Epoll.isAvailable());
  }

  Transport(int threads, boolean epoll) {
    if (threads < 0) {
      throw new IllegalArgumentException("threads must not be negative: " + threads);
    }
    this.epoll = epoll;
    IoHandlerFactory io = epoll ? new EpollFactory() : NioIoHandler.newFactory();
    int count = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    acceptors = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("accept"), io);
    workers = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("serve"), io);
  }

  /**
   * Listens on an address and adds an initializer to every accepted connection.
   *
   * @throws AddressTakenException if the address is in use, not of this machine or not allowed
   */
  public Channel bind(InetSocketAddress address, ChannelHandler initializer)
      throws AddressTakenException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptors, workers)
            .channelFactory(this::newListener)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(initializer)
            .bind(address)
            .awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      throw new AddressTakenException(address, failure);
    }
    return bound.channel();
  }

  /** Returns the loop that accepts connections, for a port with its own bootstrap. */
  public EventLoopGroup acceptors() {
    return acceptors;
  }

  /** Returns the loops that serve connections. */
  public EventLoopGroup workers() {
    return workers;
  }

  /** Returns a new listening channel for the loops. */
  public ServerChannel newListener() {
    return epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }

  /** Returns a new channel for the loops, for a connection to another server. */
  public Channel newClient() {
    return epoll ? new EpollSocketChannel() : new NioSocketChannel();
  }

  /** Returns the name of the transport in use, {@code epoll} or {@code nio}. */
  public String name() {
    return epoll ? "epoll" : "nio";
  }

  /**
   * Stops the loops after their last task, and waits for that until the deadline.
   *
   * @return whether all loops stopped in time
   */
  public boolean stop(Duration deadline) {
    long nanos = deadline.toNanos();
    acceptors.shutdownGracefully(0, nanos, TimeUnit.NANOSECONDS);
    workers.shutdownGracefully(0, nanos, TimeUnit.NANOSECONDS);
    long start = System.nanoTime();
    boolean ended = acceptors.terminationFuture().awaitUninterruptibly(nanos, TimeUnit.NANOSECONDS);
    long left = Math.max(0, nanos - (System.nanoTime() - start));
    return workers.terminationFuture().awaitUninterruptibly(left, TimeUnit.NANOSECONDS) && ended;
  }

  /** Formats an address: {@code 127.0.0.1:8080}, {@code [::1]:8080}. */
  public static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    String host = ip == null ? address.getHostString() : NetUtil.toAddressString(ip);
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
