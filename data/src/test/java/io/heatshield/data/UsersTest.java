package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.config.settings.UserSettings;
import io.heatshield.data.command.session.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
  @TempDir @Nullable Path folder;

  @Test
  void withoutUsers_everyClientIsDefault_andTheTokenMakesAnAdmin() throws IOException {
    var users = new Users(List.of(), "token"::equals);

    assertThat(users.unauthenticated()).isEqualTo(new User("default", false));
    assertThat(find(users, "default", "anything")).isEqualTo(new User("default", false));
    assertThat(find(users, "admin", "token")).isEqualTo(new User("admin", true));
    assertThat(find(users, "admin", "other")).isNull();
    assertThat(find(users, "unknown", "token")).isNull();
  }

  @Test
  void withUsers_onlyTheRightPassword_authenticates() throws IOException {
    Path file = secret("app", "long enough\n");
    var users = new Users(List.of(new UserSettings("app", file, true)), text -> false);

    assertThat(users.unauthenticated()).isNull();
    assertThat(find(users, "app", "long enough")).isEqualTo(new User("app", true));
    assertThat(find(users, "app", "wrong")).isNull();
    assertThat(find(users, "default", "long enough")).isNull();
  }

  @Test
  void refresh_usesTheNewPassword_orNoneWithoutTheFile() throws IOException {
    Path file = secret("app", "first password");
    var users = new Users(List.of(new UserSettings("app", file, false)), text -> false);

    secret("app", "second password");
    users.refresh();
    assertThat(find(users, "app", "first password")).isNull();
    assertThat(find(users, "app", "second password")).isNotNull();
    Files.delete(file);
    users.refresh();
    assertThat(find(users, "app", "second password")).isNull();
  }

  @Test
  void shortPassword_isRefused() throws IOException {
    Path file = secret("app", "short");

    assertThatThrownBy(
            () -> new Users(List.of(new UserSettings("app", file, false)), text -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at least 8 characters");
  }

  private static @Nullable User find(Users users, String name, String password) {
    return users.find(name, password.getBytes(StandardCharsets.UTF_8));
  }

  private Path secret(String name, String text) throws IOException {
    Path file = Objects.requireNonNull(folder).resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }
}
