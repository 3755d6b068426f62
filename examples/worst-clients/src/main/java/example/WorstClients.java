package example;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A web application whose filter blocks a client that scans it. */
public final class WorstClients {

  public static void main(String[] args) throws Exception {
    var tomcat = new Tomcat();
    tomcat.setBaseDir("target/tomcat");
    tomcat.setPort(0);
    tomcat.setSilent(true);
    Context application = tomcat.addContext("", null);
    application.setParentClassLoader(WorstClients.class.getClassLoader());
    Tomcat.addServlet(application, "hello", new Hello());
    application.addServletMappingDecoded("/*", "hello");
    addFilter(application);
    tomcat.start();
    try {
      scan("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static void addFilter(Context application) {
    var definition = new FilterDef();
    definition.setFilterName("clients");
    definition.setFilter(new ClientFilter());
    application.addFilterDef(definition);
    var mapping = new FilterMap();
    mapping.setFilterName("clients");
    mapping.addURLPattern("/*");
    application.addFilterMap(mapping);
  }

  /** Asks for one path after another until the client is blocked. */
  private static void scan(String address) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    int paths = 0;
    HttpResponse<String> last;
    do {
      URI path = URI.create(address + "/admin/" + paths++);
      last = client.send(HttpRequest.newBuilder(path).build(), BodyHandlers.ofString());
    } while (last.statusCode() == 200 && paths < 2_000);

    System.out.println("status " + last.statusCode());
    System.out.println("blocked: " + (last.headers().firstValue("X-Refused-By").isPresent()));
    System.out.println("Retry-After: " + (last.headers().firstValue("Retry-After").isPresent()));
  }

  /** Answers every request. */
  private static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }
}
