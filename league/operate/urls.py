"""The addresses of an operator."""

from django.urls import path

from league.operate import metrics, views

app_name = "operate"
urlpatterns = [
    path("metrics", metrics.show, name="metrics"),
    path("status/inspections/", views.inspections, name="inspections"),
]
