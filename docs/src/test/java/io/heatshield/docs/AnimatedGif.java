package io.heatshield.docs;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/**
 * Makes one animated GIF of pictures, as {@code docs/record-demo} does: {@code java
 * AnimatedGif.java FILE WIDTH PICTURE...}.
 */
public final class AnimatedGif {
  private static final String FORMAT = "javax_imageio_gif_image_1.0";
  private static final int FRAME_HUNDREDTHS = 75;
  private static final int LAST_FRAME_HUNDREDTHS = 400;

  private AnimatedGif() {}

  /** Writes the file that is named first, as wide as said, of the pictures that follow. */
  public static void main(String[] args) throws IOException {
    File file = new File(args[0]);
    int width = Integer.parseInt(args[1]);
    List<String> pictures = Arrays.asList(args).subList(2, args.length);
    ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
    if (file.exists() && !file.delete()) {
      throw new IOException(file + " cannot be replaced");
    }
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
      writer.setOutput(out);
      writer.prepareWriteSequence(null);
      for (int i = 0; i < pictures.size(); i++) {
        BufferedImage frame = scaled(ImageIO.read(new File(pictures.get(i))), width);
        int time = i == pictures.size() - 1 ? LAST_FRAME_HUNDREDTHS : FRAME_HUNDREDTHS;
        writer.writeToSequence(
            new IIOImage(frame, null, metadata(writer, frame, time)),
            writer.getDefaultWriteParam());
      }
      writer.endWriteSequence();
    } finally {
      writer.dispose();
    }
  }

  private static BufferedImage scaled(BufferedImage picture, int width) {
    int height = picture.getHeight() * width / picture.getWidth();
    var frame = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = frame.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.drawImage(picture, 0, 0, width, height, null);
    graphics.dispose();
    return frame;
  }

  private static IIOMetadata metadata(ImageWriter writer, BufferedImage frame, int hundredths)
      throws IOException {
    ImageWriteParam parameters = writer.getDefaultWriteParam();
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(
            ImageTypeSpecifier.createFromRenderedImage(frame), parameters);
    var root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("transparentColorIndex", "0");
    control.setAttribute("delayTime", Integer.toString(hundredths));
    IIOMetadataNode extensions = child(root, "ApplicationExtensions");
    var loop = new IIOMetadataNode("ApplicationExtension");
    loop.setAttribute("applicationID", "NETSCAPE");
    loop.setAttribute("authenticationCode", "2.0");
    loop.setUserObject(new byte[] {1, 0, 0});
    extensions.appendChild(loop);
    metadata.setFromTree(FORMAT, root);
    return metadata;
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i).getNodeName().equals(name)) {
        return (IIOMetadataNode) root.item(i);
      }
    }
    var made = new IIOMetadataNode(name);
    root.appendChild(made);
    return made;
  }
}
