package io.heatshield.runtime.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses private keys in PEM: PKCS#8, not encrypted. */
final class PrivateKeyPem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

  private PrivateKeyPem() {}

  /**
   * Parses a key.
   *
   * @param algorithm the algorithm of its certificate
   * @throws GeneralSecurityException if there is no key, or one in another format; the message says
   *     how to convert it and never has any of its content
   */
  static PrivateKey parse(String pem, String algorithm) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(pem);
    if (!block.find()) {
      throw new InvalidKeySpecException("the key file has no PEM private key");
    }
    if (!block.group(1).equals("PRIVATE KEY")) {
      throw new InvalidKeySpecException(
          "the key is a '"
              + block.group(1)
              + "' and must be a plain PKCS#8 'PRIVATE KEY': convert it with"
              + " openssl pkcs8 -topk8 -nocrypt");
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(block.group(2));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the private key is not valid Base64", e);
    }
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (InvalidKeySpecException e) {
      throw new InvalidKeySpecException(
          "the key is not a " + algorithm + " key like its certificate", e);
    }
  }
}
