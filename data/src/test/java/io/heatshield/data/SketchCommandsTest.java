package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Vectors for every sketch command in both protocols: the words, and the reply with its lines
 * joined by blanks.
 */
class SketchCommandsTest {
  private final DataPortFixture port = DataPortFixture.open();
  private final RawResp client = port.client();

  @AfterEach
  void close() {
    client.close();
    port.close();
  }

  @Test
  void cuckoo_inResp2_answersAsRedisBloom() {
    is("cf.reserve f 1000", "+OK");
    is("cf.reserve f 1000", "-ERR item exists");
    is("cf.add f a", ":1");
    is("cf.add f a", ":1");
    is("cf.addnx f a", ":0");
    is("cf.addnx f b", ":1");
    is("cf.count f a", ":2");
    is("cf.insert f items a c", "*2 :1 :1");
    is("cf.insertnx f items c d", "*2 :0 :1");
    is("cf.exists f a", ":1");
    is("cf.exists f zz", ":0");
    is("cf.mexists f a zz", "*2 :1 :0");
    is("cf.del f a", ":1");
    is("cf.del f zz", ":0");
    is("cf.compact f", "+OK");
    is(
        "cf.info f",
        "*16 +Size :1080 +Number of buckets :512 +Number of filters :1"
            + " +Number of items inserted :5 +Number of items deleted :0 +Bucket size :2"
            + " +Expansion rate :1 +Max iterations :20");
    is(
        "cf.debug f",
        "$79 bktsize:2 buckets:512 items:5 deletes:0 filters:1 max_iterations:20 expansion:1");
  }

  @Test
  void cuckoo_inResp3_answersWithBooleansAndMaps() {
    client.call("hello", "3");

    is("cf.reserve a 9 expansion 0", "+OK");
    is("cf.add a 3", "#t");
    is("cf.add a 4", "#t");
    is("cf.addnx a 4", "#f");
    is("cf.insert a items 4 5", "*2 #t #t");
    is("cf.insertnx a items 4 6", "*2 :0 :1");
    is("cf.exists a 3", "#t");
    is("cf.mexists a 4 zz", "*2 #t #f");
    is("cf.count a 4", ":2");
    is("cf.del a 3", "#t");
    is("cf.del a 3", "#f");
    is(
        "cf.info a",
        "%8 +Size :64 +Number of buckets :4 +Number of filters :1 +Number of items inserted :4"
            + " +Number of items deleted :1 +Bucket size :2 +Expansion rate :0 +Max iterations"
            + " :20");
    is("cf.insert a items 1 2 3 7 8 9", "*6 #t #t #t #t #t #f");
    is("cf.insertnx a items 10", "*1 :-1");
    is("cf.add a 11", "-Filter is full");
  }

  @Test
  void cuckoo_ofMissingKeys_answersAsRedisBloom() {
    is("cf.exists none a", ":0");
    is("cf.mexists none a b", "*2 :0 :0");
    is("cf.count none a", ":0");
    is("cf.del none a", "-Not found");
    is("cf.compact none", "-Cuckoo filter was not found");
    is("cf.info none", "-ERR not found");
    is("cf.debug none", "-ERR not found");
    is("cf.scandump none 0", "-ERR not found");
    is("cf.insert none nocreate items a", "-ERR not found");
    is("cf.loadchunk none 2 x", "-ERR not found");
  }

  @Test
  void cuckoo_withBadArguments_isRefused() {
    is("cf.reserve f", "-ERR wrong number of arguments for 'cf.reserve' command");
    is("cf.reserve f x", "-Bad capacity");
    is("cf.reserve f 1", "-Capacity must be in the range [2 * BUCKETSIZE, 1073741824]");
    is("cf.reserve f 10 bucketsize", "-ERR wrong number of arguments for 'cf.reserve' command");
    is("cf.reserve f 10 bucketsize x", "-Couldn't parse BUCKETSIZE");
    is("cf.reserve f 10 bucketsize 0", "-BUCKETSIZE: value must be in the range [1, 255]");
    is("cf.reserve f 100 bucketsize 33554432", "-BUCKETSIZE: value must be in the range [1, 255]");
    is("cf.reserve f 10 maxiterations 0", "-MAXITERATIONS: value must be in the range [1, 65535]");
    is("cf.reserve f 10 expansion -1", "-EXPANSION: value must be in the range [0, 32768]");
    is("cf.reserve f 1073741824", "-ERR Insufficient memory to create filter");
    is(
        "cf.insert f capacity 3 items a",
        "-Capacity must be in the range [cf-bucket-size * 2, 1073741824]");
    is("cf.insert f capacity x items a", "-Bad capacity");
    is("cf.insert f dontexist a", "-Unknown argument received");
    is("cf.insert f nocreate items", "-ERR wrong number of arguments for 'cf.insert' command");
    is("exists f", ":0");
  }

  @ParameterizedTest
  @CsvSource({"1,16,1080", "2,5,2040", "4,3,1400"})
  void cuckoo_thatGrew_reportsTheNumbersOfRedisBloom(int expansion, int filters, int size) {
    is("cf.reserve f 64 expansion " + expansion, "+OK");
    for (int i = 0; i < 1000; i++) {
      is("cf.add f i" + i, ":1");
    }

    is(
        "cf.info f",
        "*16 +Size :"
            + size
            + " +Number of buckets :32 +Number of filters :"
            + filters
            + " +Number of items inserted :1000 +Number of items deleted :0 +Bucket size :2"
            + " +Expansion rate :"
            + expansion
            + " +Max iterations :20");
    for (int i = 0; i < 1000; i++) {
      is("cf.exists f i" + i, ":1");
    }
  }

  @Test
  void cuckoo_withOneItemAddedOften_countsEveryTimeAndDoesNotGrow() {
    for (int i = 0; i < 500; i++) {
      is("cf.add f same", ":1");
    }

    is("cf.count f same", ":500");
    assertThat(client.call("cf.info", "f")).contains("Number of filters\r\n:1\r\n");
    for (int i = 0; i < 500; i++) {
      is("cf.del f same", ":1");
    }
    is("cf.exists f same", ":0");
  }

  @Test
  void countMin_inBothProtocols_answersAsRedisBloom() {
    is("cms.initbydim c 1000 5", "+OK");
    is("cms.incrby c foo 5 bar 3", "*2 :5 :3");
    is("cms.query c foo bar baz", "*3 :5 :3 :0");
    is("cms.info c", "*6 +width :1000 +depth :5 +count :8");
    is("cms.initbyprob p 0.001 0.01", "+OK");
    client.call("hello", "3");
    is("cms.info p", "%3 +width :2000 +depth :7 +count :0");
    is("cms.initbydim d 1000 5", "+OK");
    is("cms.merge d 2 c c weights 1 2", "+OK");
    is("cms.query d foo bar", "*2 :15 :9");
    is("cms.merge d 2 d c weights 1 -1", "+OK");
    is("cms.query d foo", "*1 :10");
    is("cms.info d", "%3 +width :1000 +depth :5 +count :16");
    is("cms.merge d 2 c d weights 1 -1", "-CMS: MERGE overflow");
    is("cms.incrby c big 4294967294 foo 1", "*2 :4294967294 :6");
    is("cms.incrby c big 1 foo 1", "*2 -CMS: INCRBY overflow :7");
    is("cms.query c big", "*1 :4294967295");
  }

  @Test
  void countMin_withBadArguments_isRefused() {
    is("cms.initbydim c 0 5", "-CMS: invalid width");
    is("cms.initbydim c x 5", "-CMS: invalid width");
    is("cms.initbydim c 5 0", "-CMS: invalid depth");
    is("cms.initbydim c 8589934592 8589934592", "-CMS: invalid init arguments");
    is("cms.initbydim c 4611686018427388100 1", "-CMS: Insufficient memory to create the key");
    is("cms.initbyprob c 0 0.5", "-CMS: invalid overestimation value");
    is("cms.initbyprob c 0.5 1", "-CMS: invalid prob value");
    is("cms.initbyprob c 0.9 0.9999999999999999", "-CMS: invalid init arguments");
    is("cms.initbyprob c 0.0000000000000000001 0.9", "-CMS: invalid init arguments");
    is("cms.query c a", "-CMS: key does not exist");
    is("cms.incrby c a 1", "-CMS: key does not exist");
    is("cms.initbydim c 10 2", "+OK");
    is("cms.initbydim c 10 2", "-CMS: key already exists");
    is("cms.initbydim e 20 2", "+OK");
    is("cms.incrby c a -1", "-CMS: Number cannot be negative");
    is("cms.incrby c a x", "-CMS: Cannot parse number");
    is("cms.incrby c a", "-ERR wrong number of arguments for 'cms.incrby' command");
    is("cms.incrby c a 1 b", "-ERR wrong number of arguments for 'cms.incrby' command");
    is("cms.merge c x e", "-CMS: invalid numkeys");
    is("cms.merge c -1 e", "-CMS: Number of keys must be positive");
    is("cms.merge c 2 c", "-CMS: wrong number of keys");
    is("cms.merge c 9223372036854775807 c", "-CMS: wrong number of keys");
    is("cms.merge c 2 c c weights 1", "-CMS: wrong number of keys/weights");
    is("cms.merge c 1 c weights x", "-CMS: invalid weight value");
    is("cms.merge c 1 e", "-CMS: width/depth is not equal");
    is("cms.merge c 1 none", "-CMS: key does not exist");
    is("cms.merge none 1 c", "-CMS: key does not exist");
  }

  @Test
  void top_inBothProtocols_answersAsRedisBloom() {
    is("topk.reserve t 2 50 5 0.9", "+OK");
    is("topk.reserve t 2", "-TopK: key already exists");
    is("topk.add t foo bar baz 42 foo bar baz", "*7 $-1 $-1 $3 foo $3 bar $3 baz $2 42 $3 foo");
    is("topk.add t foo baz 42 foo baz", "*5 $3 bar $-1 $-1 $-1 $-1");
    is("topk.add t foo bar baz foo baz", "*5 $-1 $-1 $-1 $-1 $-1");
    is("topk.list t", "*2 $3 foo $3 baz");
    is("topk.count t foo bar none", "*3 :6 :3 :0");
    is("topk.query t foo none", "*2 :1 :0");
    is("topk.info t", "*8 +k :2 +width :50 +depth :5 +decay $3 0.9");
    client.call("hello", "3");
    is("topk.query t foo none", "*2 #t #f");
    is("topk.info t", "%4 +k :2 +width :50 +depth :5 +decay ,0.9");
    is("topk.incrby t new 100 foo 1", "*2 $3 foo $3 baz");
    is("topk.list t withcount", "*4 $3 new :100 $3 foo :7");
    is("topk.reserve u 3", "+OK");
    is("topk.info u", "%4 +k :3 +width :8 +depth :7 +decay ,0.9");
    is("topk.add u Lets\ncrash", "*1 _");
  }

  @Test
  void top_withBadArguments_isRefused() {
    is("topk.reserve t 0", "-TopK: invalid k");
    is("topk.reserve t 4294967296", "-TopK: invalid k");
    is("topk.reserve t 1 x 5 0.9", "-TopK: invalid width");
    is("topk.reserve t 1 5 0 0.9", "-TopK: invalid depth");
    is("topk.reserve t 1 5 5 1.1", "-TopK: invalid decay value. must be '<= 1' & '> 0'");
    is("topk.reserve t 1 5 5", "-ERR wrong number of arguments for 'topk.reserve' command");
    is(
        "topk.reserve t 1 4294967295 4294967295 0.9",
        "-ERR Insufficient memory to create topk data structure");
    is("topk.reserve t 4294967295", "-ERR Insufficient memory to create topk data structure");
    is("topk.add t a", "-TopK: key does not exist");
    is("topk.list t", "-TopK: key does not exist");
    is("topk.reserve t 1", "+OK");
    is("topk.list t x", "-WITHCOUNT keyword expected");
    String increment =
        "-TopK: increment must be an integer greater or equal to 0"
            + " ".repeat(28)
            + "and smaller or equal to 100,000";
    is("topk.incrby t foo -5", "*1 " + increment);
    is("topk.incrby t foo 100001 foo 3", "*2 " + increment + " $-1");
    is("topk.count t foo", "*1 :3");
  }

  @ParameterizedTest
  @CsvSource({
    "cf.add k a,MBbloomCF",
    "cms.initbydim k 10 2,CMSk-TYPE",
    "topk.reserve k 3,TopK-TYPE"
  })
  void key_withASketch_isAKeyLikeAnother(String create, String type) {
    client.call(create.split(" ", -1));

    is("type k", "+" + type);
    is("scan 0 type " + type.toLowerCase(Locale.ROOT), "*2 $1 0 *1 $1 k");
    is("scan 0 type string", "*2 $1 0 *0");
    is("get k", "-WRONGTYPE Operation against a key holding the wrong kind of value");
    is("incr k", "-WRONGTYPE Operation against a key holding the wrong kind of value");
    is("mget k", "*1 $-1");
    is("expire k 100", ":1");
    is("rename k l", "+OK");
    is("exists k l", ":1");
    is("ttl l", ":100");
    is("type l", "+" + type);
    is("dbsize", ":1");
    is("del l", ":1");
    is("type l", "+none");
    client.call(create.split(" ", -1));
    is("set k v", "+OK");
    is("type k", "+string");
    is("del k", ":1");
    client.call(create.split(" ", -1));
    is("flushdb", "+OK");
    is("exists k", ":0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cf.add k a",
        "cf.exists k a",
        "cf.del k a",
        "cf.info k",
        "cf.reserve k 100",
        "cf.scandump k 0",
        "cf.loadchunk k 1 x",
        "cms.incrby k a 1",
        "cms.query k a",
        "cms.info k",
        "topk.add k a",
        "topk.list k",
        "topk.incrby k a 1"
      })
  void command_onAKeyOfAnotherType_isRefused(String command) {
    client.call("set", "k", "v");

    is(command, "-WRONGTYPE Operation against a key holding the wrong kind of value");
    is("get k", "$1 v");
  }

  @Test
  void transaction_onSketches_takesPlaceAsAWhole() {
    client.call("cms.initbydim", "c", "10", "2");
    client.call("watch", "c");
    try (RawResp other = port.client()) {
      other.call("cms.incrby", "c", "a", "1");
    }

    is("multi", "+OK");
    is("set x 1", "+QUEUED");
    is("exec", "*-1");
    is("multi", "+OK");
    is("cms.incrby c a 1", "+QUEUED");
    is("cms.query c a", "+QUEUED");
    is("topk.reserve t 1", "+QUEUED");
    is("topk.add t a", "+QUEUED");
    is("exec", "*4 *1 :2 *1 :2 +OK *1 $-1");
    is("cms.query c a", "*1 :2");
    is("topk.list t", "*1 $1 a");
  }

  @Test
  void memoryUsage_ofAMillionItems_isAtMostTwoAndAHalfBytesEach() {
    is("cf.reserve f 1000000", "+OK");

    String usage = client.call("memory", "usage", "f").trim();

    assertThat(Long.parseLong(usage.substring(1))).isBetween(1_000_000L, 2_500_000L);
  }

  @Test
  void clampedWrite_ofASketch_changesNothing() {
    try (DataPortFixture clamped = DataPortFixture.clamped(4);
        RawResp writer = clamped.client()) {
      writer.call("cms.initbydim", "c", "10", "2");
      writer.call("cms.initbydim", "d", "10", "2");
      String last = "";
      int done = 0;
      for (int i = 0; i < 20; i++) {
        last = writer.call("cms.incrby", "c", "a", "1");
        done += last.startsWith("*1") ? 1 : 0;
      }
      assertThat(last).startsWith("-THROTTLED ");
      assertThat(writer.call("cms.query", "c", "a")).isEqualTo("*1\r\n:" + done + "\r\n");

      writer.call("multi");
      writer.call("cms.incrby", "c", "a", "1");
      writer.call("cms.incrby", "d", "a", "1");
      assertThat(writer.call("exec")).startsWith("-THROTTLED ");
      assertThat(writer.call("cms.query", "d", "a")).isEqualTo("*1\r\n:0\r\n");
      assertThat(writer.call("cms.query", "c", "a")).isEqualTo("*1\r\n:" + done + "\r\n");
    }
  }

  private void is(String command, String reply) {
    String[] words = command.split(" ", -1);
    assertThat(client.call(words).trim().replace("\r\n", " ")).as(command).isEqualTo(reply);
  }
}
