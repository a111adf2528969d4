// A whole shop beside `purchase-widget serve`, on net/http. Start it with: go run shop.go
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const page = `<!doctype html><html lang="en"><title>Shop</title><h1>%s</h1>
<script async src="/api/purchase-widget/purchase-widget.js"></script>
<p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
<p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p><ul>%s</ul></html>`

type object map[string]any

var prices = map[string]string{"gold-100": "0.99"}
var titles = map[string]string{"/": "Shop", "/thanks": "Thank you", "/basket": "Not paid"}
var hookKey, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PURCHASE_HOOK_SECRET"), "whsec_"))

// Each delivery is a folder, SHOPPER/WEBHOOK-ID/PRODUCT: its name is the unique key.
var deliveries = environment("DATABASE", "deliveries")

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// The session is a random secret that only its cookie has; the shopper's id is its hash.
func shopperOf(session string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(session))) }

// Standard Webhooks: the same function verifies a call and signs its answer.
func sign(id, timestamp, body string) string {
	mac := hmac.New(sha256.New, hookKey)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func isGenuine(header http.Header, body string) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	isRecent := time.Since(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
	expected := sign(header.Get("webhook-id"), timestamp, body)
	return isRecent && hmac.Equal([]byte(expected), []byte(header.Get("webhook-signature")))
}

// Each hook gives the status of a refusal, or its answer.

func authorize(_ string, call struct{ Cookies map[string]string }) any {
	if call.Cookies["session"] == "" {
		return http.StatusUnauthorized // Nobody is signed in.
	}
	return object{"customId": shopperOf(call.Cookies["session"])}
}

func createPurchase(_ string, call struct{ Params map[string]string }) any {
	product := call.Params["product_id"]
	if prices[product] == "" {
		return object{"refused": "We do not sell that."}
	}
	params := object{"product_id": product, "quote": "USD", "quote_amount": prices[product]}
	return object{"params": params, "returnUrl": "/thanks", "failReturnUrl": "/basket"}
}

func onOrder(webhookID string, call struct {
	Order, Purchase map[string]any
}) any {
	order, state := call.Order, call.Purchase["state"]
	if order["type"] == "order_complete" && (state == "matched" || state == "renewal") {
		folder := filepath.Join(deliveries, fmt.Sprint(order["custom_id"]), webhookID)
		if err := os.MkdirAll(filepath.Join(folder, fmt.Sprint(order["product_id"])), 0o700); err != nil {
			return http.StatusInternalServerError // The order is sent again.
		}
	} else if order["type"] == "order_complete" {
		log.Printf("Order %s is paid but %s: review it before you deliver.", order["id"], state)
	}
	return object{}
}

func hook[Call any](answerOf func(string, Call) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var call Call
		if !isGenuine(r.Header, string(body)) || json.Unmarshal(body, &call) != nil {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		answer := answerOf(r.Header.Get("webhook-id"), call)
		if status, isRefusal := answer.(int); isRefusal {
			w.WriteHeader(status)
			return
		}
		text, _ := json.Marshal(answer)
		id, now := "answer_"+r.Header.Get("webhook-id"), strconv.FormatInt(time.Now().Unix(), 10)
		w.Header().Set("webhook-id", id)
		w.Header().Set("webhook-timestamp", now)
		w.Header().Set("webhook-signature", sign(id, now, string(text)))
		w.Write(text)
	}
}

// Stands for your own sign-in.
func signIn(w http.ResponseWriter, r *http.Request) {
	session := http.Cookie{Name: "session", MaxAge: -1, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if random := make([]byte, 16); r.URL.Path == "/sign-in" {
		rand.Read(random)
		session.Value, session.MaxAge = fmt.Sprintf("%x", random), 0
	}
	http.SetCookie(w, &session)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func show(w http.ResponseWriter, r *http.Request) {
	items := ""
	if session, err := r.Cookie("session"); err == nil {
		delivered, _ := filepath.Glob(filepath.Join(deliveries, shopperOf(session.Value), "*", "*"))
		for _, product := range delivered {
			items += "<li>" + filepath.Base(product) + "</li>"
		}
	}
	w.Header().Set("content-type", "text/html; charset=utf-8")
	fmt.Fprintf(w, page, titles[r.URL.Path], items)
}

func main() {
	http.HandleFunc("/", show)
	http.HandleFunc("/sign-in", signIn)
	http.HandleFunc("/sign-out", signIn)
	http.HandleFunc("/hooks/authorize", hook(authorize))
	http.HandleFunc("/hooks/purchase", hook(createPurchase))
	http.HandleFunc("/hooks/order", hook(onOrder))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+environment("PORT", "8000"), nil))
}
