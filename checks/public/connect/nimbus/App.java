// An app on a server, with a secret, in Java. The library checks each document and answer.
import com.nimbusds.oauth2.sdk.*;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import com.nimbusds.oauth2.sdk.auth.*;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.*;
import com.nimbusds.oauth2.sdk.pkce.*;
import com.nimbusds.oauth2.sdk.token.*;
import java.io.*;
import java.net.URI;

public class App {
  static final String BASE = System.getenv("BASE_URL");
  static AuthorizationServerMetadata server;
  static ClientAuthentication secret;

  static TokenResponse take(AuthorizationGrant grant) throws Exception {
    var request = new TokenRequest.Builder(server.getTokenEndpointURI(), secret, grant).build();
    return TokenResponse.parse(request.toHTTPRequest().send());
  }

  static int status(AccessToken token) throws Exception {
    var request = new HTTPRequest(HTTPRequest.Method.GET, URI.create(BASE + "/v1/patients?limit=3"));
    request.setAuthorization(token.toAuthorizationHeader());
    return request.send().getStatusCode();
  }

  static void must(boolean holds, Object otherwise) {
    if (!holds) throw new IllegalStateException(String.valueOf(otherwise));
  }

  public static void main(String[] args) throws Exception {
    server = AuthorizationServerMetadata.resolve(new Issuer(BASE));
    must(server.supportsAuthorizationResponseIssuerParam(), server);
    var id = new ClientID(System.getenv("CLIENT_ID"));
    secret = new ClientSecretBasic(id, new Secret(System.getenv("CLIENT_SECRET")));
    var redirect = URI.create(System.getenv("REDIRECT"));
    var verifier = new CodeVerifier();
    var state = new State();
    var asked = new AuthorizationRequest.Builder(new ResponseType(ResponseType.Value.CODE), id)
        .endpointURI(server.getAuthorizationEndpointURI()).redirectionURI(redirect).state(state)
        .scope(new Scope("patients:read")).resource(URI.create(BASE))
        .codeChallenge(verifier, CodeChallengeMethod.S256).build();
    System.out.println("OPEN " + asked.toURI());
    var lines = new BufferedReader(new InputStreamReader(System.in));
    var back = AuthorizationResponse.parse(URI.create(lines.readLine()));
    must(back.indicatesSuccess() && back.getState().equals(state), back);
    must(server.getIssuer().equals(back.getIssuer()), back.getIssuer());
    var code = back.toSuccessResponse().getAuthorizationCode();
    var first = take(new AuthorizationCodeGrant(code, redirect, verifier));
    must(first.indicatesSuccess(), first.toHTTPResponse().getBody());
    var tokens = first.toSuccessResponse().getTokens();
    must(status(tokens.getAccessToken()) == 200, "no patients");
    var next = take(new RefreshTokenGrant(tokens.getRefreshToken()));
    must(next.indicatesSuccess(), next.toHTTPResponse().getBody());
    var renewed = next.toSuccessResponse().getTokens();
    must(status(renewed.getAccessToken()) == 200, "no patients");
    System.out.println("READ");
    lines.readLine();
    must(status(renewed.getAccessToken()) == 401, "still good");
    var refused = take(new RefreshTokenGrant(renewed.getRefreshToken()));
    if (!refused.indicatesSuccess() && OAuth2Error.INVALID_GRANT.equals(refused.toErrorResponse().getErrorObject()))
      System.out.println("REFUSED");
  }
}
