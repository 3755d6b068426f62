package io.heatshield.runtime.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.runtime.secret.SecretFile;
import io.heatshield.runtime.tls.TlsMaterial.Refresh;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsMaterialTest {
  private static SelfSignedCertificate first;
  private static SelfSignedCertificate second;

  @TempDir Path folder;

  @BeforeAll
  static void createCertificates(@TempDir Path keys) {
    first = SelfSignedCertificate.make(keys, "first");
    second = SelfSignedCertificate.make(keys, "second");
  }

  @Test
  void newHandler_offersOnlyModernTlsAndTheGivenProtocols() throws IOException {
    TlsMaterial material = TlsMaterial.load(first.write(folder, TlsFiles::of));

    var engine = material.newHandler(UnpooledByteBufAllocator.DEFAULT, "h2").engine();

    assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    assertThat(engine.getEnabledCipherSuites())
        .isNotEmpty()
        .allMatch(
            suite -> suite.matches("TLS_(ECDHE_(ECDSA|RSA)_WITH_)?(AES_[0-9]+_GCM|CHACHA20).*"));
    assertThat(engine.getSSLParameters().getApplicationProtocols()).containsExactly("h2");
    assertThat(engine.getNeedClientAuth()).isFalse();
    assertThat(engine.getUseClientMode()).isFalse();
  }

  @Test
  void newHandler_withClientRoots_demandsACertificate() throws IOException {
    TlsFiles files =
        first
            .write(folder, TlsFiles::of)
            .demanding(second.writeCertificate(folder.resolve("ca.pem")));

    var engine = TlsMaterial.load(files).newHandler(UnpooledByteBufAllocator.DEFAULT).engine();

    assertThat(engine.getNeedClientAuth()).isTrue();
  }

  @Test
  void refresh_whenTheFilesChange_usesTheNewPairOnce() throws IOException {
    TlsMaterial material = TlsMaterial.load(first.write(folder, TlsFiles::of));

    assertThat(material.refresh()).isEqualTo(Refresh.UNCHANGED);
    second.write(folder, TlsFiles::of);
    assertThat(material.refresh()).isEqualTo(Refresh.RELOADED);
    assertThat(material.refresh()).isEqualTo(Refresh.UNCHANGED);
    assertThat(material.fault()).isNull();
  }

  @Test
  void refresh_betweenCertificateAndKey_keepsTheOldPairUntilTheyFit() throws IOException {
    TlsMaterial material = TlsMaterial.load(first.write(folder, TlsFiles::of));

    second.writeCertificate(folder.resolve("cert.pem"));
    assertThat(material.refresh()).isEqualTo(Refresh.BROKEN);
    assertThat(material.fault()).contains("does not belong");
    assertThat(material.refresh()).isEqualTo(Refresh.BROKEN);

    second.writeKey(folder.resolve("key.pem"));
    assertThat(material.refresh()).isEqualTo(Refresh.RELOADED);
    assertThat(material.fault()).isNull();
  }

  @Test
  void refresh_whenAFileIsMissing_reportsItAndRecovers() throws IOException {
    TlsFiles files = first.write(folder, TlsFiles::of);
    TlsMaterial material = TlsMaterial.load(files);

    Files.delete(files.key());
    assertThat(material.refresh()).isEqualTo(Refresh.BROKEN);
    assertThat(material.fault()).contains("key.pem").contains("no such file");

    first.writeKey(files.key());
    assertThat(material.refresh()).isEqualTo(Refresh.RELOADED);
  }

  @Test
  void load_ofInvalidFiles_failsWithTheReason() throws IOException {
    TlsFiles files = first.write(folder, TlsFiles::of);

    second.writeKey(files.key());
    assertThatThrownBy(() -> TlsMaterial.load(files)).hasMessageContaining("does not belong");
    Files.writeString(
        files.key(), "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----");
    assertThatThrownBy(() -> TlsMaterial.load(files)).hasMessageContaining("openssl pkcs8");
    Files.writeString(files.key(), "nothing");
    assertThatThrownBy(() -> TlsMaterial.load(files)).hasMessageContaining("no PEM private key");
    Files.writeString(files.key(), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----");
    assertThatThrownBy(() -> TlsMaterial.load(files)).hasMessageContaining("not a EC key");
    first.writeKey(files.key());
    Files.writeString(files.certificates(), "");
    assertThatThrownBy(() -> TlsMaterial.load(files)).hasMessageContaining("no certificate");
  }

  @Test
  void load_ofAWorldReadableKey_isRejected() throws IOException {
    TlsFiles files = first.write(folder, TlsFiles::of);
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> TlsMaterial.load(files))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem")
        .hasMessageContaining("chmod 600");
  }

  @Test
  void load_ofAFolderOrAHugeFile_isRefused() throws IOException {
    TlsFiles files = first.write(folder, TlsFiles::of);

    assertThatThrownBy(() -> SecretFile.read(folder, 10)).hasMessageContaining("regular file");
    assertThatThrownBy(() -> SecretFile.read(files.key(), 10)).hasMessageContaining("larger");
  }
}
