// A whole shop beside `purchase-widget serve`, on net/http. Start it with: go run shop.go
package main

import (
	"crypto/hmac"
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

type object map[string]any
type call struct {
	Cookies, Params map[string]string
	Order           struct{ ID, Type, Custom_id, Product_id string }
	Purchase        struct{ State string }
}

var prices = object{"gold-100": "0.99"}
var titles = map[string]string{"/": "Shop", "/thanks": "Thank you", "/basket": "Not paid"}
var hookKey, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PURCHASE_HOOK_SECRET"), "whsec_"))

// A folder for each delivery stands for a row with a unique key: making it twice does nothing.
var deliveries = os.Getenv("DATABASE")

const page = `<!doctype html><html lang="en"><title>Shop</title><h1>%s</h1>
<script async src="/api/purchase-widget/purchase-widget.js"></script>
<p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
<p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p><ul>%s</ul></html>`

func mac(key []byte, text string) []byte {
	hash := hmac.New(sha256.New, key)
	io.WriteString(hash, text)
	return hash.Sum(nil)
}

func session(shopper string) string {
	return fmt.Sprintf("%s.%x", shopper, mac([]byte(os.Getenv("SESSION_SECRET")), shopper))
}

func shopperOf(cookie string) (string, bool) {
	shopper, _, _ := strings.Cut(cookie, ".")
	return shopper, hmac.Equal([]byte(session(shopper)), []byte(cookie))
}

// Standard Webhooks: the same lines verify a hook and sign its answer.
func sign(id, timestamp, body string) string {
	return "v1," + base64.StdEncoding.EncodeToString(mac(hookKey, id+"."+timestamp+"."+body))
}

func isGenuine(id string, header http.Header, body string) bool {
	timestamp, _ := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	isRecent := time.Since(time.Unix(timestamp, 0)).Abs() <= 5*time.Minute
	expected, fits := sign(id, header.Get("webhook-timestamp"), body), false
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		fits = fits || hmac.Equal([]byte(expected), []byte(given))
	}
	return isRecent && fits
}

func onHook(path, id string, hook call) object {
	order, price := hook.Order, prices[hook.Params["product_id"]]
	switch path {
	case "/hooks/authorize":
		if shopper, ok := shopperOf(hook.Cookies["session"]); ok {
			return object{"customId": shopper}
		}
		return nil // 401: nobody is signed in
	case "/hooks/purchase":
		if price == nil {
			return object{"refused": "We do not sell that."}
		}
		params := object{"product_id": hook.Params["product_id"], "quote": "USD", "quote_amount": price}
		return object{"params": params, "returnUrl": "/thanks", "failReturnUrl": "/basket"}
	}
	if order.Type == "order_complete" && (hook.Purchase.State == "matched" || hook.Purchase.State == "renewal") {
		if err := os.MkdirAll(filepath.Join(deliveries, order.Custom_id, order.Product_id, id), 0o700); err != nil {
			panic(err) // No answer: the order is sent again.
		}
	} else if order.Type == "order_complete" {
		log.Printf("Order %s is paid but %s: look at it before you deliver.", order.ID, hook.Purchase.State)
	}
	return object{}
}

func post(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	id, now, hook := r.Header.Get("webhook-id"), strconv.FormatInt(time.Now().Unix(), 10), call{}
	if !isGenuine(id, r.Header, string(body)) || json.Unmarshal(body, &hook) != nil {
		w.WriteHeader(403)
	} else if answer := onHook(r.URL.Path, id, hook); answer == nil {
		w.WriteHeader(401)
	} else {
		text, _ := json.Marshal(answer)
		w.Header().Set("webhook-id", "answer_"+id)
		w.Header().Set("webhook-timestamp", now)
		w.Header().Set("webhook-signature", sign("answer_"+id, now, string(text)))
		w.Write(text)
	}
}

func get(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/sign-in" || r.URL.Path == "/sign-out" { // Stands for your own sign-in.
		value := map[string]string{"/sign-in": session(strconv.FormatInt(time.Now().UnixNano(), 36))}[r.URL.Path]
		http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, "/", 303)
		return
	}
	items := ""
	if cookie, err := r.Cookie("session"); err == nil {
		if shopper, ok := shopperOf(cookie.Value); ok {
			rows, _ := filepath.Glob(filepath.Join(deliveries, shopper, "*", "*"))
			for _, row := range rows {
				items += "<li>" + filepath.Base(filepath.Dir(row)) + "</li>"
			}
		}
	}
	w.Header().Set("content-type", "text/html; charset=utf-8")
	fmt.Fprintf(w, page, titles[r.URL.Path], items)
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		map[string]http.HandlerFunc{"GET": get, "POST": post}[r.Method](w, r)
	})))
}
