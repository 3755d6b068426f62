package io.heatshield.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CgroupTest {
  private static final String VERSION_2 = "sys/fs/cgroup/";
  private static final String VERSION_1 = "sys/fs/cgroup/memory/";

  @TempDir private Path root;

  @Test
  void limit_version2_isThatOfTheGroup() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/heatshield.service\n");
    write(VERSION_2 + "system.slice/heatshield.service/memory.max", "536870912\n");

    assertThat(new Cgroup(root).limit())
        .hasValueSatisfying(
            limit -> {
              assertThat(limit.bytes()).isEqualTo(512L << 20);
              assertThat(limit.file()).endsWith("heatshield.service/memory.max");
            });
  }

  @Test
  void limit_groupAboveIsLower_isThatOfTheGroupAbove() throws IOException {
    write("proc/self/cgroup", "0::/pods/one\n");
    write(VERSION_2 + "pods/one/memory.max", "max\n");
    write(VERSION_2 + "pods/memory.max", "1073741824\n");

    assertThat(new Cgroup(root).limit()).map(Cgroup.Limit::bytes).hasValue(1L << 30);
  }

  @Test
  void limit_containerWithItsOwnMount_isThatOfTheMount() throws IOException {
    write("proc/self/cgroup", "0::/kubepods/pod1/container2\n");
    write(VERSION_2 + "memory.max", "268435456\n");

    assertThat(new Cgroup(root).limit()).map(Cgroup.Limit::bytes).hasValue(256L << 20);
  }

  @Test
  void limit_pathLeadsOutOfTheMount_isThatOfTheMount() throws IOException {
    write("proc/self/cgroup", "0::/../../other\n");
    write(VERSION_2 + "memory.max", "268435456\n");
    write("sys/other/memory.max", "1\n");

    assertThat(new Cgroup(root).limit()).map(Cgroup.Limit::bytes).hasValue(256L << 20);
  }

  @Test
  void limit_version1_isThatOfTheMemoryController() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/docker/a\n4:memory:/docker/a\n0::/\n");
    write(VERSION_1 + "docker/a/memory.limit_in_bytes", "134217728\n");
    write(VERSION_1 + "memory.limit_in_bytes", "9223372036854771712\n");

    assertThat(new Cgroup(root).limit()).map(Cgroup.Limit::bytes).hasValue(128L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"max", "", "many", "-1", "0", "99999999999999999999"})
  void limit_fileWithoutANumber_isNone(String text) throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write(VERSION_2 + "memory.max", text);

    assertThat(new Cgroup(root).limit()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no colons\n", "0:\n", "7:cpu:/a\n"})
  void limit_noGroupOfMemory_isNone(String groups) throws IOException {
    write("proc/self/cgroup", groups);
    write(VERSION_2 + "memory.max", "268435456\n");

    assertThat(new Cgroup(root).limit()).isEmpty();
  }

  @Test
  void limit_noFiles_isNone() {
    assertThat(new Cgroup(root).limit()).isEmpty();
  }

  @Test
  void machine_containerIsSmallerThanTheMachine_isTheContainer() throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write(VERSION_2 + "memory.max", "268435456\n");

    MachineMemory small = MachineMemory.of(64 << 20, 64 << 20, 64 << 20, 1L << 34, root);
    MachineMemory large = MachineMemory.of(64 << 20, 64 << 20, 64 << 20, 1L << 27, root);

    assertThat(small.total()).isEqualTo(256L << 20);
    assertThat(small.isContainer()).isTrue();
    assertThat(large.total()).isEqualTo(128L << 20);
    assertThat(large.isContainer()).isFalse();
  }

  @Test
  void machine_thisProcess_hasPositiveLimits() {
    MachineMemory current = MachineMemory.current();

    assertThat(current.heap()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(current.direct()).isPositive();
    assertThat(current.total()).isPositive();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
