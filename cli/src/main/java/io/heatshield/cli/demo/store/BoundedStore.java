package io.heatshield.cli.demo.store;

import io.heatshield.resp.CommandParser;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.Reply;
import io.heatshield.resp.RespLimits;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * A small Redis-compatible server that executes a fixed number of commands per second, one after
 * the other, like one shard of a store.
 *
 * <p>A command waits for all earlier commands of all clients, so too much traffic for one key slows
 * down every client. Listens on loopback.
 */
public final class BoundedStore implements StoreUnderTest {
  /*
   * All state except the counters is confined to the event loop. freeAtNanos is the time at which
   * the accepted commands will have been executed. It advances by the duration of one command per
   * command, and to the present if the queue was empty. So a late wake-up loses no capacity, and an
   * idle store does not accumulate any.
   */
  private static final int MAX_QUEUED_OF_CLIENT = 4096;

  @SuppressWarnings("ArrayRecordComponent") // Read, never compared.
  private record Waiting(Client client, byte[][] words) {}

  private final long commandNanos;
  private final int capacity;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final Channel server;
  private final StoreData data = new StoreData();
  private final Queue<Waiting> queue = new ArrayDeque<>();
  private final Set<Client> tracking = new HashSet<>();
  private final Set<Client> written = new HashSet<>();
  private final LongAdder calls = new LongAdder();
  private final LongAdder attackCalls = new LongAdder();
  private volatile Predicate<String> attack = key -> false;
  private long freeAtNanos = System.nanoTime();
  private boolean scheduled;

  private BoundedStore(int capacity) throws IOException {
    this.capacity = capacity;
    this.commandNanos = TimeUnit.SECONDS.toNanos(1) / capacity;
    this.group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    this.loop = group.next();
    var bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Client(channel));
                  }
                });
    var bound = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    bound.awaitUninterruptibly();
    if (!bound.isSuccess()) {
      var unused = group.shutdownGracefully();
      throw new IOException("the store of the demo cannot listen: " + bound.cause().getMessage());
    }
    server = bound.channel();
  }

  /** Starts a store that executes this many commands per second. */
  public static BoundedStore start(int capacity) throws IOException {
    return new BoundedStore(capacity);
  }

  @Override
  public String url() {
    return "redis://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public String describe() {
    return "embedded, executes " + capacity + " commands/s, like one busy shard";
  }

  @Override
  public void fill(String prefix, int keys, byte[] value) {
    loop.submit(
            () -> {
              for (int i = 0; i < keys; i++) {
                data.put(prefix + i, value);
              }
            })
        .awaitUninterruptibly();
  }

  @Override
  public void put(String key, byte[] value) {
    loop.submit(() -> data.put(key, value)).awaitUninterruptibly();
  }

  @Override
  public void setAttackedKeys(Predicate<String> keys) {
    attack = keys;
  }

  @Override
  public long calls() {
    return calls.sum();
  }

  @Override
  public long attackCalls() {
    return attackCalls.sum();
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  private void accept(Client client, byte[][] words) {
    if (queue.isEmpty()) {
      freeAtNanos = Math.max(freeAtNanos, System.nanoTime());
    }
    queue.add(new Waiting(client, words));
    client.queued(1);
    drain();
  }

  private void drain() {
    long now = System.nanoTime();
    while (!queue.isEmpty() && freeAtNanos + commandNanos <= now) {
      freeAtNanos += commandNanos;
      Waiting next = queue.remove();
      next.client.queued(-1);
      execute(next);
    }
    written.forEach(Client::flush);
    written.clear();
    if (!queue.isEmpty() && !scheduled) {
      scheduled = true;
      var unused =
          loop.schedule(
              () -> {
                scheduled = false;
                drain();
              },
              freeAtNanos + commandNanos - now,
              TimeUnit.NANOSECONDS);
    }
  }

  private void execute(Waiting command) {
    byte[][] words = command.words;
    calls.increment();
    if (attack.test(StoreData.keyOf(words))) {
      attackCalls.increment();
    }
    Reply reply = data.execute(words, System.currentTimeMillis(), command.client);
    String changed = data.changed();
    if (changed != null && !tracking.isEmpty()) {
      byte[] key = changed.getBytes(StandardCharsets.ISO_8859_1);
      Reply push =
          Reply.push(List.of(Reply.bulk("invalidate"), Reply.array(List.of(Reply.bulk(key)))));
      tracking.forEach(client -> client.write(push));
    }
    command.client.write(reply);
  }

  private final class Client extends ChannelInboundHandlerAdapter implements StoreData.Connection {
    private final Channel channel;
    private final CommandParser parser = new CommandParser(RespLimits.defaults());
    private final ByteBuf in = Unpooled.buffer();
    private boolean resp3;
    private int queued;

    Client(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      try {
        in.discardReadBytes().writeBytes(bytes);
        while (parser.read(in)) {
          accept(this, parser.take());
        }
      } catch (ProtocolException e) {
        var unused = ctx.close();
      } finally {
        bytes.release();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      tracking.remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      var unused = ctx.close();
    }

    @Override
    public void resp3() {
      resp3 = true;
    }

    @Override
    public void track() {
      tracking.add(this);
    }

    void queued(int more) {
      queued += more;
      channel.config().setAutoRead(queued < MAX_QUEUED_OF_CLIENT);
    }

    void write(Reply reply) {
      ByteBuf out = channel.alloc().buffer();
      reply.write(out, resp3);
      var unused = channel.write(out, channel.voidPromise());
      written.add(this);
    }

    void flush() {
      channel.flush();
    }
  }
}
