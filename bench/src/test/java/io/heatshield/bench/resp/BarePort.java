package io.heatshield.bench.resp;

import io.heatshield.resp.CommandParser;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.Reply;
import io.heatshield.resp.RespLimits;
import io.heatshield.runtime.net.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The rival: only GET and SET on a hash map, with the same codec on the same event loops. */
final class BarePort implements AutoCloseable {
  private final Transport transport = new Transport(0);
  private final Map<Key, byte[]> map = new ConcurrentHashMap<>();
  private final Channel listening;

  BarePort() throws IOException {
    listening =
        transport.bind(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                client.pipeline().addLast(new Connection(map));
              }
            });
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  @Override
  public void close() {
    transport.stop(Duration.ofSeconds(1));
  }

  private static final class Key {
    private final byte[] bytes;
    private final int hash;

    Key(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private static final class Connection extends ChannelInboundHandlerAdapter {
    private final Map<Key, byte[]> map;
    private final CommandParser parser = new CommandParser(RespLimits.defaults());
    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private @Nullable ByteBuf out;

    Connection(Map<Key, byte[]> map) {
      this.map = map;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object data) throws ProtocolException {
      in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, (ByteBuf) data);
      ByteBuf answers = out == null ? ctx.alloc().ioBuffer(512) : out;
      out = answers;
      while (parser.read(in)) {
        answer(parser.take()).write(answers, false);
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      if (!in.isReadable()) {
        in.release();
        in = Unpooled.EMPTY_BUFFER;
      }
      if (out != null) {
        ctx.writeAndFlush(out);
        out = null;
      }
    }

    private Reply answer(byte[][] words) {
      byte[] name = words[0];
      if (name.length == 3 && (name[0] | 0x20) == 'g') {
        byte[] value = map.get(new Key(words[1]));
        return value == null ? Reply.NULL : Reply.bulk(value);
      }
      if (name.length == 3 && (name[0] | 0x20) == 's') {
        map.put(new Key(words[1]), words[2]);
        return Reply.OK;
      }
      return Reply.EMPTY;
    }
  }
}
