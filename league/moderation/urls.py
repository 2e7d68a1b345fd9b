"""The addresses of moderation, and of leaving."""

from django.urls import path

from league.moderation import views

app_name = "moderation"
urlpatterns = [
    path("me/delete/", views.leave, name="leave"),
    path("staff/<slug:kind>/<int:pk>/", views.subject, name="subject"),
    path("staff/<slug:kind>/<int:pk>/<slug:what>/", views.act, name="act"),
]
