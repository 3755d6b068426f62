package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edge cases of RedisBloom that its users rely on, in both protocols. */
class SketchFactsTest {
  private final DataPortFixture port = DataPortFixture.open();
  private final RawResp client = port.client();

  @AfterEach
  void close() {
    client.close();
    port.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cf.reserve",
        "cf.reserve k",
        "cf.add",
        "cf.add k",
        "cf.addnx k",
        "cf.insert k",
        "cf.insert k items",
        "cf.insertnx k",
        "cf.exists k",
        "cf.mexists k",
        "cf.count k",
        "cf.del k",
        "cf.info",
        "cf.info k x",
        "cf.debug",
        "cf.compact",
        "cf.compact k x",
        "cf.scandump k",
        "cf.loadchunk k 1",
        "cms.initbydim k 1",
        "cms.initbyprob k 0.1",
        "cms.incrby k a",
        "cms.query k",
        "cms.merge k 1",
        "cms.info",
        "topk.reserve k",
        "topk.reserve k 1 2",
        "topk.reserve k 1 2 3 0.9 x",
        "topk.add k",
        "topk.incrby k a",
        "topk.query k",
        "topk.count k",
        "topk.list",
        "topk.list k withcount x",
        "topk.info",
        "topk.info k x"
      })
  void command_withTooFewOrTooManyWords_isRefused(String command) {
    String name = command.split(" ", -1)[0];

    is(command, "-ERR wrong number of arguments for '" + name + "' command");
    is("dbsize", ":0");
  }

  @Test
  void cuckoo_createdByInsertion_hasTheDefaultParameters() {
    is("cf.add a foo", ":1");
    is("cf.insert b items foo", "*1 :1");
    is("cf.insert c capacity 10000 items foo", "*1 :1");
    is("cf.insertnx c nocreate items foo bar baz", "*3 :0 :1 :1");
    is("cf.reserve d 10 maxiterations 10", "+OK");

    assertThat(call("cf.debug a")).isEqualTo(call("cf.debug b"));
    assertThat(call("cf.debug c")).contains("buckets:8192 items:3 deletes:0 filters:1 ");
    assertThat(call("cf.debug d")).contains("bktsize:2 buckets:8 items:0 ").contains(":10 ");
  }

  @ParameterizedTest
  @CsvSource({"2,*2 :-1 :-1,*2 :-1 :-1", "3,*2 #f #f,*2 :-1 :-1"})
  void cuckoo_thatMayNotGrow_rejectsItemsThatDoNotFit(
      int protocol, String insert, String insertNx) {
    call("hello " + protocol);
    is("cf.reserve a 4 expansion 0", "+OK");
    for (int i = 0; i < 4; i++) {
      assertThat(call("cf.add a " + i)).isIn(":1", "#t");
    }

    is("cf.insert a items 5 6", insert);
    is("cf.insertnx a items 5 6", insertNx);
    is("cf.add a 7", "-Filter is full");
    is("cf.addnx a 7", "-Filter is full");
    assertThat(call("cf.exists a 7")).isIn(":0", "#f");
  }

  @Test
  void cuckoo_thatIsDumpedByOneServer_isLoadedByAnother() {
    for (int i = 0; i < 3000; i++) {
      call("cf.add f item" + i);
    }
    call("cf.del f item7");
    List<String[]> pieces = dump();

    try (DataPortFixture other = DataPortFixture.open();
        RawResp loader = other.client()) {
      for (String[] piece : pieces) {
        assertThat(loader.call("cf.loadchunk", "g", piece[0], piece[1])).isEqualTo("+OK\r\n");
      }
      assertThat(loader.call("cf.info", "g")).isEqualTo(client.call("cf.info", "f"));
      for (int i = 0; i < 3000; i++) {
        assertThat(loader.call("cf.exists", "g", "item" + i))
            .isEqualTo(i == 7 ? ":0\r\n" : ":1\r\n");
      }
    }
  }

  @Test
  void chunk_invalid_isRejectedAndDoesNotChangeTheFilter() {
    call("cf.insert f items a b c");
    List<String[]> pieces = dump();
    String header = pieces.get(0)[1];
    String chunk = pieces.get(1)[1];

    for (String position : List.of("-1", "0", "x", "-9223372036854775808", "9223372036854775808")) {
      assertThat(client.call("cf.loadchunk", "g", position, header))
          .isEqualTo("-Invalid position\r\n");
    }
    is("cf.scandump f -1", "-Invalid position");
    is("cf.scandump f 9223372036854775807", "*2 :0 $-1");
    assertThat(client.call("cf.loadchunk", "g", "1", "")).isEqualTo("-Invalid header\r\n");
    assertThat(client.call("cf.loadchunk", "g", "1", header.substring(1)))
        .startsWith("-Couldn't create filter!");
    assertThat(client.call("cf.loadchunk", "f", "1", header)).isEqualTo("-ERR item exists\r\n");
    is("exists g", ":0");
    assertThat(client.call("cf.loadchunk", "g", "1", header)).isEqualTo("+OK\r\n");
    for (int length = 0; length < chunk.length(); length += 97) {
      assertThat(client.call("cf.loadchunk", "g", pieces.get(1)[0], chunk.substring(0, length)))
          .isEqualTo("-Couldn't load chunk!\r\n");
    }
    is("cf.exists g a", "-ERR the filter is not loaded yet");
    is("cf.add g a", "-ERR the filter is not loaded yet");
    assertThat(client.call("cf.loadchunk", "g", pieces.get(1)[0], chunk)).isEqualTo("+OK\r\n");
    is("cf.mexists g a b c d", "*4 :1 :1 :1 :0");
    assertThat(client.call("cf.loadchunk", "f", pieces.get(1)[0], chunk))
        .isEqualTo("-Couldn't load chunk!\r\n");
  }

  @Test
  void countMin_ofFewItems_isExactAndTakesZero() {
    is("cms.initbydim c 2 2", "+OK");

    is("cms.incrby c foo 10 bar 42", "*2 :10 :42");
    is("cms.incrby c foo 0 bar 0 new 0", "*3 :10 :42 :0");
    is("cms.query c foo bar new", "*3 :10 :42 :0");
    is("cms.info c", "*6 +width :2 +depth :2 +count :52");
  }

  @Test
  void merge_withNegativeWeights_subtractsDownToZero() {
    for (String key : List.of("a", "b", "c", "d")) {
      call("cms.initbydim " + key + " 1000 5");
    }
    call("cms.incrby a foo 3");
    call("cms.incrby b bar 5");
    is("cms.merge c 2 a b", "+OK");

    is("cms.merge d 2 c b weights 1 -1", "+OK");
    is("cms.query d foo bar", "*2 :3 :0");
    is("cms.merge d 2 b c weights -1 1", "+OK");
    is("cms.query d foo bar", "*2 :3 :0");
    is("cms.info d", "*6 +width :1000 +depth :5 +count :3");
    is("cms.merge d 2 d b weights 1 -1", "-CMS: MERGE overflow");
    is("cms.merge d 1 c weights 9223372036854775807", "-CMS: MERGE overflow");
    is("cms.merge d 1 c weights 4294967295", "-CMS: MERGE overflow");
    is("cms.query d foo bar", "*2 :3 :0");
    is("cms.merge d 2 d d", "+OK");
    is("cms.query d foo", "*1 :6");
    is("cms.merge d 0", "-ERR wrong number of arguments for 'cms.merge' command");
    is("cms.merge d 0 weights", "-CMS: Number of keys must be positive");
    is("cms.merge d 1 a weights", "-CMS: wrong number of keys/weights");
  }

  @Test
  void top_withEmptyAndRepeatedItems_countsThem() {
    is("topk.reserve t 3", "+OK");

    assertThat(client.call("topk.add", "t", "")).isEqualTo("*1\r\n$-1\r\n");
    is("topk.incrby t foo 2 foo 2 bar 3 bar 0", "*4 $-1 $-1 $-1 $-1");
    is("topk.list t withcount", "*6 $3 foo :4 $3 bar :3 $0  :1");
    assertThat(client.call("topk.query", "t", "", "bla")).isEqualTo("*2\r\n:1\r\n:0\r\n");
    is("topk.add t foo foo new new", "*4 $-1 $-1 $0  $-1");
    is("topk.list t", "*3 $3 foo $3 bar $3 new");
    is("topk.count t foo bar new", "*3 :6 :3 :2");
    call("hello 3");
    is("topk.list t WITHCOUNT", "*6 $3 foo :6 $3 bar :3 $3 new :2");
    is("topk.add t foo", "*1 _");
    is("topk.count t foo", "*1 :7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cms.initbydim k 8589934592 8589934592",
        "cms.initbydim k 9223372036854775807 9223372036854775807",
        "cms.initbydim k 1073741824 1",
        "cms.initbyprob k 0.000000001 0.000000001",
        "cms.merge c -1",
        "cms.merge c -1 c",
        "cms.merge c 1073741824 c",
        "cms.merge c 9223372036854775807 c weights 1",
        "cf.reserve k 1073741824",
        "cf.reserve k 9223372036854775807",
        "cf.reserve k 100000000 bucketsize 33554432",
        "cf.reserve k 100000000 bucketsize 255",
        "cf.insert k capacity 1073741824 items a",
        "cf.loadchunk k -1 x",
        "cf.loadchunk k 1 x",
        "topk.reserve k 4294967296",
        "topk.reserve k 4294967295",
        "topk.reserve k 1 4294967295 4294967295 0.9",
        "topk.reserve k 1 9223372036854775807 2 0.9",
        "topk.reserve k 100000000 1 1 0.9"
      })
  void abuse_ofAnySize_isRefusedBeforeAnythingIsAllocated(String command) throws JMException {
    call("cms.initbydim c 10 2");
    call("type k");
    long before = allocated();

    String reply = call(command);

    assertThat(reply).startsWith("-");
    assertThat(allocated() - before).isLessThan(8L << 20);
    is("dbsize", ":1");
  }

  private List<String[]> dump() {
    var pieces = new ArrayList<String[]>();
    String position = "0";
    while (true) {
      String[] lines = client.call("cf.scandump", "f", position).split("\r\n", 4);
      position = lines[1].substring(1);
      if (position.equals("0")) {
        return pieces;
      }
      pieces.add(new String[] {position, lines[3].substring(0, lines[3].length() - 2)});
    }
  }

  /** Returns what all threads have allocated so far, asked in the way that every JVM offers. */
  private static long allocated() throws JMException {
    var bytes =
        (long[])
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                    "getThreadAllocatedBytes",
                    new Object[] {ManagementFactory.getThreadMXBean().getAllThreadIds()},
                    new String[] {long[].class.getName()});
    return Arrays.stream(bytes).sum();
  }

  private String call(String command) {
    return client.call(command.split(" ", -1)).replaceAll("\r\n$", "").replace("\r\n", " ");
  }

  private void is(String command, String reply) {
    assertThat(call(command)).as(command).isEqualTo(reply);
  }
}
