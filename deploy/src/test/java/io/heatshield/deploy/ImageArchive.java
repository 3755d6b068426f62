package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A docker-archive, unpacked as far as its layers.
 *
 * @param folder where the archive was unpacked to
 * @param id the image's digest, without the name of the algorithm
 * @param config the image's configuration
 * @param layers the files of the layers, the lowest first
 */
record ImageArchive(Path folder, String id, JsonObject config, List<Path> layers) {

  static ImageArchive unpack(Path archive, Path folder) throws IOException, InterruptedException {
    tar("-xzf", archive.toString(), "-C", folder.toString());
    JsonObject image =
        JsonParser.parseString(Files.readString(folder.resolve("manifest.json")))
            .getAsJsonArray()
            .get(0)
            .getAsJsonObject();
    String file = image.get("Config").getAsString();
    var layers = new ArrayList<Path>();
    image.getAsJsonArray("Layers").forEach(name -> layers.add(folder.resolve(name.getAsString())));
    return new ImageArchive(
        folder,
        file.replace(".json", ""),
        JsonParser.parseString(Files.readString(folder.resolve(file))).getAsJsonObject(),
        layers);
  }

  /** Unpacks the layers in their order, as a container runtime would. */
  void unpackLayers(Path root) throws IOException, InterruptedException {
    for (Path layer : layers) {
      tar("-xpf", layer.toString(), "-C", root.toString());
    }
  }

  /** Returns the part of the configuration that says how a container runs. */
  JsonObject run() {
    return config.getAsJsonObject("config");
  }

  /** Returns a list of texts of that part. */
  List<String> texts(String name) {
    return texts(run().getAsJsonArray(name));
  }

  static List<String> texts(JsonArray array) {
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }

  private static void tar(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(arguments));
    Output output = Output.of(command);
    assertThat(output.code()).as(output.text()).isZero();
  }
}
