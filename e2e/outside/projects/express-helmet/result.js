document.addEventListener('purchase-widget-result', ({ detail: { status, verified } }) => {
  const words = status === 'success' ? 'Thank you. It is yours.' : 'Not paid. Please try again.'
  if (verified) document.querySelector('[role=status]').textContent = words
})
