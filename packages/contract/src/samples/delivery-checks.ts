// The check of a delivery's signature in several languages, as the guide prints it. Tests run each of them.

export const nodeCheck = `
import { createHmac, timingSafeEqual } from 'node:crypto'

function isAuthentic(rawBody, signature, secret) {
  const expected = 'sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex')
  const [a, b] = [Buffer.from(expected), Buffer.from(signature ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}`

export const pythonCheck = `
import hashlib
import hmac

def is_authentic(raw_body: bytes, signature: str | None, secret: str) -> bool:
    digest = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), (signature or "").encode())`

export const goCheck = `
package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

func isAuthentic(rawBody []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}`

/** For Java 17 and later. */
export const javaCheck = `
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Deliveries {
    static boolean isAuthentic(byte[] rawBody, String signature, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(rawBody));
        String sent = signature == null ? "" : signature;
        return MessageDigest.isEqual(expected.getBytes(UTF_8), sent.getBytes(UTF_8));
    }
}`
