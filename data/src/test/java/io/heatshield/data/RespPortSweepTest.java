package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.net.Transport;
import io.heatshield.testkit.time.FakeTicker;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RespPortSweepTest {
  private final Transport transport = new Transport(1);
  private final List<Client> clients = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable RespPort> opened = new AtomicReference<>();
  private final AtomicBoolean sweepEarly = new AtomicBoolean();

  @BeforeEach
  void open() throws Exception {
    var port =
        new RespPort(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            null,
            DataLimits.defaults(),
            new DataCounters(),
            new FakeTicker()::nanos,
            held -> new Client());
    opened.set(port);
    port.start();
  }

  @AfterEach
  void close() {
    port().stop(Duration.ofSeconds(2));
    transport.stop(Duration.ofSeconds(5));
  }

  @Test
  void sweep_whileAConnectionIsOpened_skipsIt() throws Exception {
    sweepEarly.set(true);
    try (Socket socket = connect(1)) {
      assertThat(clients.get(0).sweptBeforeAdded).isFalse();

      port().sweep();

      assertThat(clients.get(0).swept).isTrue();
      assertThat(socket.isConnected()).isTrue();
    }
  }

  @Test
  void sweep_ofAConnectionThatFails_closesItAndContinuesWithTheOthers() throws Exception {
    try (Socket first = connect(1);
        Socket second = connect(2);
        Socket third = connect(3)) {
      clients.get(1).fails = true;

      port().sweep();

      assertThat(clients).allMatch(client -> client.swept);
      assertThat(second.getInputStream().read()).isEqualTo(-1);
      assertThat(first.isConnected() && third.isConnected()).isTrue();
    }
  }

  private RespPort port() {
    RespPort port = opened.get();
    assertThat(port).isNotNull();
    return port;
  }

  private Socket connect(int number) throws Exception {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port().address().getPort());
    while (clients.size() < number || !clients.get(number - 1).active) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    return socket;
  }

  private final class Client extends PortConnection {
    private volatile boolean added;
    private volatile boolean active;
    private volatile boolean swept;
    private volatile boolean sweptBeforeAdded;
    private volatile boolean fails;

    Client() {
      clients.add(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      if (sweepEarly.get()) {
        port().sweep();
      }
      added = true;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      active = true;
    }

    @Override
    public void drain() {}

    @Override
    protected void onInputEnd() {}

    @Override
    public void sweep(long nowNanos) {
      swept = true;
      sweptBeforeAdded |= !added;
      if (fails) {
        throw new IllegalStateException("fails on purpose");
      }
    }
  }
}
