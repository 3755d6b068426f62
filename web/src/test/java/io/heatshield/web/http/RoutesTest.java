package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static final Handler ANY = request -> Response.empty(204).now();

  @Test
  void find_literalBesideParameter_prefersTheLiteral() {
    Routes routes =
        Routes.builder()
            .add(Route.get("/a/{x}/c", "One.", ANY))
            .add(Route.get("/a/b", "Two.", ANY))
            .add(Route.get("/a/b/d", "Three.", ANY))
            .build("1");

    assertThat(template(routes, "/a/b")).isEqualTo("/a/b");
    assertThat(template(routes, "/a/b/c")).isEqualTo("/a/{x}/c");
    assertThat(template(routes, "/a/b/d")).isEqualTo("/a/b/d");
  }

  @Test
  void find_parameter_isDecodedAfterThePathWasCut() {
    Routes routes = Routes.builder().add(Route.get("/k/{key}", "Key.", ANY)).build("1");

    Routes.Place place = Objects.requireNonNull(routes.find("/k/a%2fb%FF"));
    Map<String, byte[]> parameters =
        place.parameters(Objects.requireNonNull(place.route(Method.GET)));

    assertThat(parameters.get("key")).containsExactly('a', '/', 'b', 0xff);
  }

  @Test
  void find_otherPaths_leadNowhere() {
    Routes routes =
        Routes.builder()
            .add(Route.get("/", "Root.", ANY))
            .add(Route.get("/k/{key}", "Key.", ANY))
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
            .add(Route.get("/k/{key}", "One.", ANY))
            .add(Route.get("/k/{name}", "Two.", ANY));

    assertThatThrownBy(() -> builder.build("1")).hasMessageContaining("GET /k/{name}");
  }

  @Test
  void route_withoutASummaryOrWithABadTemplate_isRefused() {
    assertThatThrownBy(() -> Route.get("/a", " ", ANY)).hasMessageContaining("summary");
    assertThatThrownBy(() -> Route.get("a", "A.", ANY)).hasMessageContaining("template");
    assertThatThrownBy(() -> Route.get("/a/", "A.", ANY)).hasMessageContaining("template");
    assertThatThrownBy(() -> Route.get("/{a}/{a}", "A.", ANY)).hasMessageContaining("twice");
    assertThatThrownBy(() -> Route.of(Method.HEAD, "/a", "A.", ANY)).hasMessageContaining("HEAD");
  }

  @Test
  void route_thatChangesState_needsTheTokenUnlessItSaysOtherwise() {
    for (Method method : Method.values()) {
      if (method != Method.HEAD) {
        Route route = Route.of(method, "/a", "A.", ANY);
        assertThat(route.isAdmin()).as(method.name()).isEqualTo(method != Method.GET);
        assertThat(route.open().isAdmin()).isFalse();
        assertThat(route.admin().isAdmin()).isTrue();
      }
    }
  }

  private static String template(Routes routes, String path) {
    Routes.Place place = Objects.requireNonNull(routes.find(path));
    return Objects.requireNonNull(place.route(Method.GET)).template();
  }
}
