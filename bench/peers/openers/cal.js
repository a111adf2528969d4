/** Cal: the script that its snippet loads. It opens only pages of Cal, so that it is parsed here, and not opened. */
import '@calcom/embed-core'
