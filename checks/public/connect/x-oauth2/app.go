// An app on a server, with a secret, in Go.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

var base = os.Getenv("BASE_URL")

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func patients(client *http.Client) int {
	answer, err := client.Get(base + "/v1/patients?limit=3")
	must(err)
	defer answer.Body.Close()
	var page struct {
		Data []json.RawMessage `json:"data"`
	}
	if answer.StatusCode != 200 {
		panic(answer.Status)
	}
	must(json.NewDecoder(answer.Body).Decode(&page))
	return len(page.Data)
}

func main() {
	ctx := context.Background()
	answer, err := http.Get(base + "/.well-known/oauth-authorization-server")
	must(err)
	var server struct {
		Issuer        string `json:"issuer"`
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
		Device        string `json:"device_authorization_endpoint"`
	}
	must(json.NewDecoder(answer.Body).Decode(&server))
	// It finds out by itself how the secret is sent.
	app := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT"),
		Scopes:       []string{"patients:read"},
		Endpoint:     oauth2.Endpoint{AuthURL: server.Authorization, TokenURL: server.Token, DeviceAuthURL: server.Device},
	}
	verifier := oauth2.GenerateVerifier()
	fmt.Println("OPEN", app.AuthCodeURL("the-state", oauth2.S256ChallengeOption(verifier)))
	lines := bufio.NewReader(os.Stdin)
	line, err := lines.ReadString('\n')
	must(err)
	back, err := url.Parse(strings.TrimSpace(line))
	must(err)
	query := back.Query()
	if query.Get("iss") != server.Issuer || query.Get("state") != "the-state" {
		panic(line)
	}
	token, err := app.Exchange(ctx, query.Get("code"), oauth2.VerifierOption(verifier))
	must(err)
	if patients(app.Client(ctx, token)) != 3 {
		panic("there are three")
	}
	// As an hour later: its source renews by itself.
	late := *token
	late.Expiry = time.Now().Add(-time.Hour)
	source := app.TokenSource(ctx, &late)
	next, err := source.Token()
	must(err)
	if next.AccessToken == token.AccessToken || patients(oauth2.NewClient(ctx, source)) != 3 {
		panic("it was not renewed")
	}
	// It sends no secret with the request of a device, so the app of one is public.
	device, err := (&oauth2.Config{ClientID: "sc", Endpoint: app.Endpoint}).DeviceAuth(ctx)
	must(err)
	if device.UserCode == "" || device.Interval != 5 {
		panic("no code")
	}
	fmt.Println("READ")
	_, err = lines.ReadString('\n')
	must(err)
	next.Expiry = time.Now().Add(-time.Hour)
	_, err = app.TokenSource(ctx, next).Token()
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
		fmt.Println("REFUSED")
	}
}
