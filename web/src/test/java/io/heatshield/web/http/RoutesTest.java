package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RoutesTest {
  @Test
  void find_literalBesideParameter_prefersTheLiteral() {
    Routes routes =
        Routes.builder()
            .add(Route.get("/a/{x}/c", "One.", RoutesTest::handle))
            .add(Route.get("/a/b", "Two.", RoutesTest::handle))
            .add(Route.get("/a/b/d", "Three.", RoutesTest::handle))
            .build("1");

    assertThat(template(routes, "/a/b")).isEqualTo("/a/b");
    assertThat(template(routes, "/a/b/c")).isEqualTo("/a/{x}/c");
    assertThat(template(routes, "/a/b/d")).isEqualTo("/a/b/d");
  }

  @Test
  void find_parameter_isDecodedAfterThePathWasCut() {
    Routes routes =
        Routes.builder().add(Route.get("/k/{key}", "Key.", RoutesTest::handle)).build("1");

    Routes.Match match = Objects.requireNonNull(routes.find("/k/a%2fb%FF"));
    Map<String, byte[]> parameters =
        match.parameters(Objects.requireNonNull(match.route(Method.GET)));

    assertThat(parameters.get("key")).containsExactly('a', '/', 'b', 0xff);
  }

  @Test
  void find_otherPaths_returnsNothing() {
    Routes routes =
        Routes.builder()
            .add(Route.get("/", "Root.", RoutesTest::handle))
            .add(Route.get("/k/{key}", "Key.", RoutesTest::handle))
            .build("1");

    for (String path :
        new String[] {"", "k", "//", "/k", "/k/", "/k/a/", "/k/a/b", "/K/a", "/k//"}) {
      assertThat(routes.find(path)).as(path).isNull();
    }
    assertThat(routes.find("/")).isNotNull();
    assertThat(routes.find("/%6b/a")).isNotNull();
    assertThatThrownBy(() -> routes.find("/k/%f")).isInstanceOf(BadRequestException.class);
  }

  @Test
  void build_withTwoRoutesOfOneShape_isRefused() {
    Routes.Builder builder =
        Routes.builder()
            .add(Route.get("/k/{key}", "One.", RoutesTest::handle))
            .add(Route.get("/k/{name}", "Two.", RoutesTest::handle));

    assertThatThrownBy(() -> builder.build("1")).hasMessageContaining("GET /k/{name}");
  }

  @Test
  void route_withoutASummaryOrWithABadTemplate_isRefused() {
    assertThatThrownBy(() -> Route.get("/a", " ", RoutesTest::handle))
        .hasMessageContaining("summary");
    assertThatThrownBy(() -> Route.get("a", "A.", RoutesTest::handle))
        .hasMessageContaining("template");
    assertThatThrownBy(() -> Route.get("/a/", "A.", RoutesTest::handle))
        .hasMessageContaining("template");
    assertThatThrownBy(() -> Route.get("/{a}/{a}", "A.", RoutesTest::handle))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> Route.of(Method.HEAD, "/a", "A.", RoutesTest::handle))
        .hasMessageContaining("HEAD");
  }

  @Test
  void route_thatChangesState_needsTheTokenByDefault() {
    for (Method method : Method.values()) {
      if (method != Method.HEAD) {
        Route route = Route.of(method, "/a", "A.", RoutesTest::handle);
        assertThat(route.isAdmin()).as(method.name()).isEqualTo(method != Method.GET);
        assertThat(route.open().isAdmin()).isFalse();
      }
    }
  }

  private static Response handle(Request unused) {
    return Response.empty(204);
  }

  private static String template(Routes routes, String path) {
    Routes.Match match = Objects.requireNonNull(routes.find(path));
    return Objects.requireNonNull(match.route(Method.GET)).template();
  }
}
