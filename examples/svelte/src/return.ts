// The widget sends the shopper here. This tells the page that opened it.
import { announceReturn } from '@purchase-widget/loader/return'

announceReturn()
