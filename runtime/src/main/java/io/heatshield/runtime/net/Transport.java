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
 * The event loops that all doors run on: one that accepts connections, and some that serve them.
 *
 * <p>It uses epoll where the machine has it and NIO otherwise. The threads start with the first
 * door and are not daemons: a process that forgets {@link #stop} does not end. Any thread may call
 * it, but {@link #stop} and {@link #bind} wait and so must not run on one of its own loops.
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
   * Listens on an address and gives every accepted connection to an initializer.
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

  /** Returns the loop that accepts connections, for a door that brings its own bootstrap. */
  public EventLoopGroup acceptors() {
    return acceptors;
  }

  /** Returns the loops that serve connections. */
  public EventLoopGroup workers() {
    return workers;
  }

  /** Returns a new listening channel that fits the loops. */
  public ServerChannel newListener() {
    return epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }

  /** Returns a new channel for a connection to another server that fits the loops. */
  public Channel newClient() {
    return epoll ? new EpollSocketChannel() : new NioSocketChannel();
  }

  /** Returns the name of the transport in use, {@code epoll} or {@code nio}. */
  public String name() {
    return epoll ? "epoll" : "nio";
  }

  /**
   * Ends the loops once their last task has run, and waits for that until the deadline.
   *
   * @return whether all loops ended in time
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

  /** Returns an address as people write it: {@code 127.0.0.1:8080}, {@code [::1]:8080}. */
  public static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    String host = ip == null ? address.getHostString() : NetUtil.toAddressString(ip);
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
